# Tiltmeter with everything it can use on a processor; results and the cache lie in volumes.
#   docker build -t tiltmeter .
#   docker run --rm -v "$PWD:/work" -v tiltmeter:/cache tiltmeter run starter_pairs demo
FROM python:3.13-slim

ENV PIP_NO_CACHE_DIR=1 TILTMETER_CACHE=/cache HF_HOME=/cache/huggingface
COPY pyproject.toml constraints.txt README.md LICENSE /source/
COPY src /source/src
RUN pip install -c /source/constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu \
      '/source[gguf,encoders,vectors,mitigate,plots,analysis,postgres]' \
    && rm -rf /source \
    && useradd --create-home tiltmeter \
    && mkdir /cache /work && chown tiltmeter /cache /work

USER tiltmeter
WORKDIR /work
VOLUME ["/cache"]
ENTRYPOINT ["tiltmeter"]
CMD ["--help"]
