mod think;
mod wire;

fn main() -> std::io::Result<()> {
    wire::run()
}
