# What a bot could try against the server that plays it. The test puts the paths and ports of the
# server in place of the words between at signs, as if their author had learned them.
import glob
import os
import signal
import socket

SCHOOL = "@SCHOOL@"
PORTS = [@PORT@, @METRICS@]


def read(path):
    with open(path, "rb") as file:
        return len(file.read(16)) > 0


def database():
    return read(os.path.join(SCHOOL, "season.db"))


def database_by_a_relative_path():
    return read("../../../season.db")


def journal_of_the_database():
    return read(os.path.join(SCHOOL, "season.db-wal"))


def settings():
    return read(os.path.join(SCHOOL, "server.toml"))


def uploads():
    return any(map(read, glob.glob(os.path.join(SCHOOL, "uploads/*"))))


def upload_whose_name_is_known():
    return read(os.path.join(SCHOOL, "uploads/@UPLOAD@"))


def sources_of_others():
    return read(os.path.join(SCHOOL, "bots/@OTHER@/src/think.py"))


def sources_of_others_by_a_relative_path():
    return read("../../@OTHER@/src/think.py")


def games():
    return read(os.path.join(SCHOOL, "ladders/school.practice/tournament.db"))


def names_in_the_course():
    return len(os.listdir(SCHOOL)) > 0


def names_of_uploads():
    return len(os.listdir(os.path.join(SCHOOL, "uploads"))) > 0


def ask(port):
    with socket.create_connection(("127.0.0.1", port), timeout=2) as web:
        web.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
        return web.recv(4) == b"HTTP"


def page():
    return ask(PORTS[0])


def metrics():
    return ask(PORTS[1])


def whatever_listens():
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table][1:]
    ports = [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A"]
    return PORTS[0] in ports and ask(PORTS[0])


def environment_of_the_server():
    return read(f"/proc/{os.getppid()}/environ")


def write(path):
    with open(path, "ab") as file:
        file.write(b"hostile")
    return True


def file_among_bots():
    return write(os.path.join(SCHOOL, "bots/hostile"))


def file_among_uploads():
    return write(os.path.join(SCHOOL, "uploads/hostile"))


def file_in_the_course():
    return write(os.path.join(SCHOOL, "hostile"))


def upload_of_others():
    return write(os.path.join(SCHOOL, "uploads/@UPLOAD@"))


def program_of_others():
    return write(os.path.join(SCHOOL, "bots/@OTHER@/src/think.py"))


def built_program_of_others():
    return write(os.path.join(SCHOOL, "bots/@OTHER@/work/think.py"))


def end_of_the_database():
    return write(os.path.join(SCHOOL, "season.db"))


def own_sources_as_handed_in():
    return write("../src/bot.py")


def removal_of_the_database():
    os.remove(os.path.join(SCHOOL, "season.db"))


def end_of_the_server():
    if os.getppid() <= 1:
        return False
    os.kill(os.getppid(), signal.SIGTERM)


# Only look, so that the test can also try them where nothing stops them.
LOOKS = [database, journal_of_the_database, settings, uploads, upload_whose_name_is_known,
         sources_of_others, games, names_in_the_course, names_of_uploads, page, metrics,
         whatever_listens, environment_of_the_server]
RELATIVE = [database_by_a_relative_path, sources_of_others_by_a_relative_path]
CHANGES = [file_among_bots, file_among_uploads, file_in_the_course, upload_of_others,
           program_of_others, built_program_of_others, end_of_the_database,
           own_sources_as_handed_in, removal_of_the_database, end_of_the_server]
ALL = LOOKS + RELATIVE + CHANGES
