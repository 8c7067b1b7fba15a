// The wire: hears the referee and answers. Nobody needs to change this file.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
// argument it speaks arena. What to answer is decided in think.go.

package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A move may use one part in so many of what a clock has left.
var parts = map[string]int64{"move": 2, "game": 40, "bank": 20}

const noClock = 500 * time.Millisecond

func main() {
	input := bufio.NewReader(os.Stdin)
	if len(os.Args) > 1 {
		arena(input, number(os.Args[1]))
	} else {
		pitmaster(input)
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return value
}

// hear is the words of the next line; false at the end of input.
func hear(input *bufio.Reader) ([]string, bool) {
	line, err := input.ReadString('\n')
	return strings.Fields(line), err == nil
}

// timeFor is the time for a move, from words such as `move 1000 game 209512`.
func timeFor(clocks []string) time.Duration {
	least := int64(-1)
	for i := 0; i+1 < len(clocks); i++ {
		part, known := parts[clocks[i]]
		left, err := strconv.ParseInt(clocks[i+1], 10, 64)
		if known && err == nil && (least < 0 || left/part < least) {
			least = left / part
		}
	}
	if least < 0 {
		return noClock
	}
	return time.Duration(least) * time.Millisecond
}

// pitmaster hears blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn.
func pitmaster(input *bufio.Reader) {
	game, side := "", 1
	var opening, clocks, listed []string
	var player *Player
	for words, more := hear(input); more; words, more = hear(input) {
		if len(words) == 0 {
			continue
		}
		rest := words[1:]
		switch words[0] {
		case "pitmaster":
			fmt.Println("ready")
		case "game":
			game, opening, clocks = rest[0], nil, nil
		case "side":
			side = number(rest[0])
		case "opening":
			opening = rest
		case "newgame":
			player = NewPlayer(game, side)
			for _, move := range opening {
				player.Played(move)
			}
			fmt.Println("ready")
		case "played":
			for _, move := range rest {
				player.Played(move)
			}
		case "time":
			clocks = rest
		case "moves":
			listed = rest
		case "go":
			move := player.Choose(listed, timeFor(clocks))
			player.Played(move)
			fmt.Println("move", move) // written at once: Go does not buffer it
		case "quit":
			return
		}
	}
}

// arena hears one game: `START` or the opponent's moves, one a line; `END` at the end.
func arena(input *bufio.Reader, side int) {
	var clocks []string
	if limit, told := os.LookupEnv("PITMASTER_MOVE_MS"); told && limit != "0" {
		clocks = []string{"move", limit}
	}
	player := NewPlayer(os.Getenv("PITMASTER_GAME"), side)
	for words, more := hear(input); more; words, more = hear(input) {
		if len(words) == 0 {
			continue
		}
		if words[0] == "END" {
			return
		}
		if words[0] != "START" {
			player.Played(words[0])
		}
		if move := player.Choose(nil, timeFor(clocks)); move != "" {
			player.Played(move)
			fmt.Println(move)
		}
	}
}
