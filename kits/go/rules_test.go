// Tests of the rules and of the thinking: `go test`.

package main

import (
	"testing"
	"time"
)

// perft counts the sequences of so many legal moves.
func perft(board Board, depth int) int {
	if board.Over() {
		return 0
	}
	moves := board.Moves()
	if depth == 1 {
		return len(moves)
	}
	total := 0
	for _, move := range moves {
		after := board
		after.Play(move)
		total += perft(after, depth-1)
	}
	return total
}

// boardWith is a board with seeds (red, blue, transparent) in the holes of these numbers.
func boardWith(mover int, holes map[int][colours]int) Board {
	board := Board{mover: mover, both40: true}
	for number, seeds := range holes {
		board.seeds[number-1] = seeds
	}
	return board
}

func TestAllSequencesAreCounted(t *testing.T) {
	for i, expected := range []int{32, 1024, 30856, 929896} {
		if found := perft(NewBoard(true), i+1); found != expected {
			t.Errorf("%d sequences of %d moves, not %d", found, i+1, expected)
		}
	}
}

func TestACaptureGoesBackwardsOverBothSides(t *testing.T) {
	reds, both, blues := [colours]int{2, 0, 0}, [colours]int{2, 2, 0}, [colours]int{0, 2, 0}
	board := boardWith(1, map[int][colours]int{1: reds, 13: both, 14: both, 15: blues, 16: reds})
	board.Play(Move{hole: 14 - 1, asBlue: true})
	if board.scores != [2]int{0, 10} || board.seedsIn(13-1) != 4 {
		t.Errorf("%+v", board)
	}
}

func TestWhoStarvesTheOpponentTakesTheRest(t *testing.T) {
	board := boardWith(0, map[int][colours]int{1: {1, 0, 0}, 2: {0, 0, 1}, 5: {0, 9, 0}})
	board.Play(Move{hole: 1 - 1}) // takes the two seeds of hole 2, the opponent's last
	if board.scores != [2]int{11, 0} || !board.Over() {
		t.Errorf("%+v", board)
	}
}

func TestTheStartIsSkippedWhenSowingGoesRound(t *testing.T) {
	board := boardWith(0, map[int][colours]int{1: {16, 0, 0}})
	board.Play(Move{hole: 1 - 1})
	for hole, seeds := range board.seeds {
		if (seeds[red] == 1) != (hole > 1) {
			t.Errorf("%d red seeds in hole %d", seeds[red], hole+1)
		}
	}
}

func TestFortyEachIsTheEndUnlessTheGameSaysOtherwise(t *testing.T) {
	games := map[string]bool{"": true, "coloured-awale": true, "coloured-awale,both_40=off": false}
	for game, ends := range games {
		board := BoardOf(game)
		board.scores = [2]int{40, 41}
		if board.Over() != ends {
			t.Errorf("%s: over is %t", game, !ends)
		}
	}
	if BoardOf("kalah") != nil {
		t.Error("kalah is another game")
	}
}

func TestItAnswersInItsTurnOnly(t *testing.T) {
	player := NewPlayer("coloured-awale", 1)
	player.Played("1R")
	if move := player.Choose(nil, time.Second); move != "" {
		t.Errorf("%s is not asked for", move)
	}
	player.Played("16R")
	if player.Choose(nil, time.Second) == "" {
		t.Error("no answer")
	}
}

func TestItPlaysTheFirstMoveOfAGameThatItDoesNotKnow(t *testing.T) {
	move := NewPlayer("isholo-3", 1).Choose([]string{"a3=*4", "a5"}, time.Second)
	if move != "a3=a1:4" {
		t.Error(move)
	}
}
