// The thinking: which move to play. This is the file to change.
//
// It knows no rules yet, and plays the first of the moves that the referee lists.

package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A Player is one player in one game; every game gets a new one.
type Player struct {
	game  string   // as the referee names it, with options; "" if it does not
	side  int      // 1 or 2
	moves []string // all that were played so far
}

// NewPlayer is a player in a new game.
func NewPlayer(game string, side int) *Player {
	return &Player{game: game, side: side}
}

// Played tells that a move was played, by this player or by the other.
func (p *Player) Played(text string) {
	p.moves = append(p.moves, text)
}

// Choose says the move to play; "" if the game is over, or it is the other's turn.
//
// `listed` are the legal moves, if the referee lists them: in arena it does not.
func (p *Player) Choose(listed []string, limit time.Duration) string {
	if len(listed) == 0 {
		fmt.Fprintln(os.Stderr, "arena lists no legal moves: write the rules before you play it")
		os.Exit(1)
	}
	return strings.Replace(listed[0], "*", "a1:", 1) // a layout: all seeds on one hole
}
