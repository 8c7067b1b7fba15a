# A course: Pitmaster with the languages of its templates, and an ordinary user.
#
#   docker build --file docker/course.Dockerfile --tag pitmaster-course FOLDER
#   docker run --rm --volume "$PWD:/contest" pitmaster-course run contest.toml
#
# FOLDER is the unpacked archive of a release. The user has the number 1000, as the first user of most
# Linux systems does; with another one, add --user "$(id -u):$(id -g)".
FROM debian:bookworm-slim
# Versions are those of the distribution, which keeps them and mends their faults.
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -qy --no-install-recommends \
        cargo cmake default-jdk-headless g++ gcc golang-go libc6-dev make nodejs python3 rustc \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 pitmaster \
    && install -d -o pitmaster -g pitmaster /contest
COPY pitmaster /usr/bin/pitmaster
COPY man/man1/ /usr/share/man/man1/
COPY completions/pitmaster.bash /usr/share/bash-completion/completions/pitmaster
COPY LICENSE-MIT LICENSE-APACHE LICENSES-OF-CRATES.txt /usr/share/doc/pitmaster/
USER 1000:1000
WORKDIR /contest
STOPSIGNAL SIGINT
ENTRYPOINT ["/usr/bin/pitmaster"]
CMD ["--help"]
