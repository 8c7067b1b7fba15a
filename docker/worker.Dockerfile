# A worker that plays house bots and static programs: nothing but Pitmaster, for x86-64 or ARM64.
#
#   docker build --file docker/worker.Dockerfile --tag pitmaster-worker FOLDER
#
# FOLDER is the unpacked archive of a release. scripts/worker.yaml starts it on Kubernetes; for bots in
# C, Python and so on, use course.Dockerfile.
FROM debian:bookworm-slim AS folders
RUN mkdir -p /image/home/pitmaster /image/tmp /image/run/lock \
    && chown 1000:1000 /image/home/pitmaster \
    && chmod 1777 /image/tmp /image/run/lock

FROM scratch
COPY --from=folders /image/ /
COPY pitmaster /usr/bin/pitmaster
COPY LICENSE-MIT LICENSE-APACHE LICENSES-OF-CRATES.txt /usr/share/doc/pitmaster/
ENV HOME=/home/pitmaster PATH=/usr/bin
WORKDIR /home/pitmaster
USER 1000:1000
# A worker ends after its running games.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/pitmaster"]
CMD ["worker", "--help"]
