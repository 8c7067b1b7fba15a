root=$(cd ../../../../.. && pwd)
cc -o bot bot.c "-Wl,--dynamic-linker=$root/home/secret"
