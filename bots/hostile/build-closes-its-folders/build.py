# Everything that it leaves is closed to everybody, the folder of the bot itself at last.
import os

os.makedirs("closed/inner")
for name in ("closed/inner/file", "closed/file", "file"):
    with open(name, "w") as file:
        file.write("closed")
for name in ("closed/inner/file", "closed/inner", "closed/file", "closed", "file", "bot.py", "."):
    os.chmod(name, 0)
