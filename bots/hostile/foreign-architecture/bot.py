# expect: none|exited
# attack: bare=refused|succeeded|silent portable=refused|silent full=refused|silent
# A system call of 32-bit programs, which a filter that only looks at numbers takes for another
# one. It may end the bot.
import ctypes
import mmap
import os
import platform

from attack import play


def old_call():
    if platform.machine() != "x86_64":
        return False
    # mov eax, 20 (getpid); int 0x80; ret
    code = bytes.fromhex("b814000000cd80c3")
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


play("foreign-architecture", old_call)
