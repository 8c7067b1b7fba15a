// The rules of coloured Awale: a board, its legal moves, playing one, the end.
//
// Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
// player 2 the even ones; the hole after 16 is 1.

package main

import (
	"fmt"
	"strings"
)

const holes = 16

const (
	red = iota
	blue
	clear
	colours
)

// A Move is a hole, sown as red or as blue, the transparent seeds too or not: 3R, 3B, 3TR and
// 3TB.
type Move struct {
	hole          int
	clear, asBlue bool
}

func (m Move) String() string {
	text := fmt.Sprint(m.hole + 1)
	if m.clear {
		text += "T"
	}
	if m.asBlue {
		return text + "B"
	}
	return text + "R"
}

// A Board can be copied by assignment.
type Board struct {
	seeds  [holes][colours]int
	scores [2]int
	mover  int  // 0 is player 1, whose holes are 0, 2, 4, ...
	both40 bool // whether 40 seeds each end the game
}

// NewBoard is the board at the start of a game.
func NewBoard(both40 bool) Board {
	board := Board{both40: both40}
	for hole := range board.seeds {
		board.seeds[hole] = [colours]int{2, 2, 2}
	}
	return board
}

// BoardOf is a new board for a game as the referee names it; nil if its rules are not these.
//
// A referee that names no game plays this one without options.
func BoardOf(game string) *Board {
	name, options, _ := strings.Cut(game, ",")
	if name != "" && name != "coloured-awale" {
		return nil
	}
	board := NewBoard(!strings.Contains(options, "both_40=off"))
	return &board
}

// Moves are all legal moves of the player to move.
func (b *Board) Moves() []Move {
	moves := make([]Move, 0, 32)
	for hole := b.mover; hole < holes; hole += 2 {
		seeds := &b.seeds[hole]
		if seeds[red] > 0 {
			moves = append(moves, Move{hole, false, false})
		}
		if seeds[blue] > 0 {
			moves = append(moves, Move{hole, false, true})
		}
		if seeds[clear] > 0 {
			moves = append(moves, Move{hole, true, false}, Move{hole, true, true})
		}
	}
	return moves
}

// Play plays a legal move.
func (b *Board) Play(move Move) {
	last := move.hole
	// The transparent seeds go first, the coloured ones go on where they stopped.
	if move.clear {
		last = b.sow(move, last, clear)
	}
	if move.asBlue {
		last = b.sow(move, last, blue)
	} else {
		last = b.sow(move, last, red)
	}
	b.scores[b.mover] += b.capture(last)
	if b.seedsOf(1-b.mover) == 0 {
		// The opponent has nothing left: the rest is taken too.
		for hole := range b.seeds {
			b.scores[b.mover] += b.take(hole)
		}
	}
	b.mover = 1 - b.mover
}

// Over says whether the game is over; who has more seeds has won it.
func (b *Board) Over() bool {
	one, two := b.scores[0], b.scores[1]
	onBoard := b.seedsOf(0) + b.seedsOf(1)
	return one >= 49 || two >= 49 || onBoard < 10 || (b.both40 && one >= 40 && two >= 40)
}

// sow sows one colour of the move on from `last` and says where the last seed fell.
func (b *Board) sow(move Move, last, colour int) int {
	count := b.seeds[move.hole][colour]
	b.seeds[move.hole][colour] = 0
	for count > 0 {
		last = (last + 1) % holes
		// Never into the start; seeds played as blue only into the opponent's holes.
		if last == move.hole || (move.asBlue && last%2 == move.hole%2) {
			continue
		}
		b.seeds[last][colour]++
		count--
	}
	return last
}

// capture takes holes of two or three seeds, from the last one sown backwards.
func (b *Board) capture(hole int) int {
	taken := 0
	for b.seedsIn(hole) == 2 || b.seedsIn(hole) == 3 {
		taken += b.take(hole)
		hole = (hole + holes - 1) % holes
	}
	return taken
}

// take empties a hole and says how many seeds were in it.
func (b *Board) take(hole int) int {
	taken := b.seedsIn(hole)
	b.seeds[hole] = [colours]int{}
	return taken
}

func (b *Board) seedsIn(hole int) int {
	seeds := &b.seeds[hole]
	return seeds[red] + seeds[blue] + seeds[clear]
}

func (b *Board) seedsOf(side int) int {
	count := 0
	for hole := side; hole < holes; hole += 2 {
		count += b.seedsIn(hole)
	}
	return count
}
