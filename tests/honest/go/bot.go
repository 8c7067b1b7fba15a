// Goroutines look at the moves for every answer; memory is taken and collected.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

func last(moves []string) string {
	var group sync.WaitGroup
	found := make(chan int, len(moves))
	for i := range moves {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			large := make([]byte, 1<<20)
			large[rand.Intn(len(large))] = byte(i)
			found <- i
		}(i)
	}
	group.Wait()
	close(found)
	best := 0
	for i := range found {
		best = max(best, i)
	}
	return moves[best]
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func main() {
	if _, err := os.ReadFile("book.txt"); err != nil {
		os.Exit(3)
	}
	runtime.GOMAXPROCS(4)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	var moves []string
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "pitmaster":
			fmt.Println("ready threads-go")
		case "newgame":
			fmt.Println("ready")
		case "moves":
			moves = words[1:]
		case "go":
			<-ticker.C
			fmt.Println("move", last(moves))
		case "quit":
			return
		}
	}
}
