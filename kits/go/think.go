// The thinking: which move to play. This is the file to change.
//
// It looks one move ahead, then two, and so on, up to maxDepth moves or until the time is over,
// and plays what leads to the best board that it can be sure of (negamax with alpha-beta).

package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	maxDepth = 4
	infinity = 1000
)

// A Player is one player in one game; every game gets a new one.
type Player struct {
	board     *Board // nil: a game whose rules are not known
	side      int
	deadline  time.Time
	outOfTime bool
}

// NewPlayer is a player in a new game.
func NewPlayer(game string, side int) *Player {
	return &Player{board: BoardOf(game), side: side - 1}
}

// Played tells that a move was played, by this player or by the other.
func (p *Player) Played(text string) {
	if p.board == nil {
		return
	}
	for _, move := range p.board.Moves() {
		if move.String() == text {
			p.board.Play(move)
			return
		}
	}
	fmt.Fprintf(os.Stderr, "%s is not legal by rules.go\n", text)
}

// Choose says the move to play; "" if the game is over, or it is the other's turn.
//
// `listed` are the legal moves, if the referee lists them: in arena it does not.
func (p *Player) Choose(listed []string, limit time.Duration) string {
	if p.board == nil {
		return strings.Replace(listed[0], "*", "a1:", 1) // a layout: all seeds on one hole
	}
	if p.board.Over() || p.board.mover != p.side {
		return ""
	}
	p.deadline = time.Now().Add(limit)
	p.outOfTime = false
	best := p.board.Moves()[0]
	for depth := 1; depth <= maxDepth; depth++ {
		found := p.bestMove(depth)
		if p.outOfTime {
			break // the best of the depth before stands
		}
		best = found
	}
	return best.String()
}

func (p *Player) bestMove(depth int) Move {
	best, most := Move{}, -infinity
	for _, move := range p.board.Moves() {
		value := p.valueOf(p.board, move, depth, most, infinity)
		if value > most {
			best, most = move, value
		}
	}
	return best
}

// valueOf says what a move is worth to the player who makes it.
func (p *Player) valueOf(board *Board, move Move, depth, alpha, beta int) int {
	after := *board
	after.Play(move)
	return -p.search(&after, depth-1, -beta, -alpha)
}

// search says what a board is worth to the player to move, if that is between the two.
func (p *Player) search(board *Board, depth, alpha, beta int) int {
	if depth == 0 || board.Over() {
		return evaluate(board)
	}
	if p.outOfTime || time.Now().After(p.deadline) {
		p.outOfTime = true
		return 0 // of no use to anybody
	}
	for _, move := range board.Moves() {
		value := p.valueOf(board, move, depth, alpha, beta)
		if value > alpha {
			alpha = value
		}
		if alpha >= beta {
			break // the opponent will not let it come to this
		}
	}
	return alpha
}

// evaluate guesses what a board is worth to the player to move.
func evaluate(board *Board) int {
	return board.scores[board.mover] - board.scores[1-board.mover]
}
