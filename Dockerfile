# The explorer and the command line in a container, from the releases of requirements/use.txt alone:
#     docker build -t bgrace . && docker run --rm -p 127.0.0.1:8642:8642 bgrace
#     docker run --rm -v "$PWD:/data" bgrace build bearoff.h5
FROM python:3.13-slim AS made
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY . /source
WORKDIR /source
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /bgrace && /bgrace/bin/pip install --require-hashes --requirement requirements/use.txt \
    && /bgrace/bin/pip install --no-deps --no-build-isolation .

FROM python:3.13-slim
COPY --from=made /bgrace /bgrace
ENV PATH=/bgrace/bin:$PATH XDG_CACHE_HOME=/tmp
RUN useradd --create-home player
USER player
WORKDIR /data
EXPOSE 8642
ENTRYPOINT ["bgrace"]
CMD ["web", "--public", "--no-browser", "--port", "8642"]
