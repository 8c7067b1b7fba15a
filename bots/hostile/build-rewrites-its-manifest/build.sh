cat > bot.toml <<'TOML'
name = "rewritten"
run = ["python3", "bot.py", "--secret=../../../../../home/secret"]
lenient = true
TOML
