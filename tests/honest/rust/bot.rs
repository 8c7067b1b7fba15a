// Threads within a scope and a thread with a channel look at the moves for every answer.
use std::collections::HashMap;
use std::io::{BufRead, stdin};
use std::sync::mpsc::channel;
use std::thread;

fn last(moves: &[String]) -> String {
    let large = vec![1_u8; 16 << 20];
    let (send, found) = channel();
    thread::scope(|scope| {
        for index in 0..moves.len() {
            let (send, large) = (send.clone(), &large);
            scope.spawn(move || send.send(index + usize::from(large[index]) - 1));
        }
    });
    drop(send);
    moves[found.iter().max().unwrap()].clone()
}

fn main() {
    let book = std::fs::read_to_string("book.txt").unwrap();
    let _hashed: HashMap<&str, usize> = book.split(' ').map(|word| (word, word.len())).collect();
    let mut moves = Vec::new();
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ').map(str::to_owned);
        match words.next().unwrap().as_str() {
            "pitmaster" => println!("ready threads-rust"),
            "newgame" => println!("ready"),
            "moves" => moves = words.collect(),
            "go" => println!("move {}", last(&moves)),
            "quit" => return,
            _ => {}
        }
    }
}
