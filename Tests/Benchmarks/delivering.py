"""The analytics client: what a call costs, and how fast events go out beside `curl` with the same batches."""
import json, os, shutil, socket, statistics, subprocess, tempfile, time

CONFIGURATION = """
daemon off; master_process off; pid nginx.pid; events {{}}
http {{
  access_log off; client_max_body_size 64m;
  client_body_temp_path {0}/a; proxy_temp_path {0}/b; fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d; scgi_temp_path {0}/e;
  server {{ listen 127.0.0.1:{1}; keepalive_requests 1000000000; location / {{ return 202; }} }}
}}
"""
HEADER = "Content-Type: application/json"


class Nginx:
    """nginx on loopback, which takes everything."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(CONFIGURATION.format(folder, self.port))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-p", folder, "-e", "error.log", "-c", path])
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise SystemExit("nginx does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def calls(bench, figures):
    for figure in json.loads(subprocess.run([bench, "calls"], check=True, capture_output=True).stdout):
        figures.add(**figure)


def timed(command, runs=3):
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def posts(bench, count, figures):
    """Delivers events to nginx, then has curl post the very same bodies: all in one process, and one process each."""
    with tempfile.TemporaryDirectory() as folder, Nginx(folder) as nginx:
        host, bodies = f"http://127.0.0.1:{nginx.port}", os.path.join(folder, "bodies")
        os.mkdir(bodies)
        for figure in json.loads(
                subprocess.run([bench, "post", host, str(count), bodies], check=True, capture_output=True).stdout):
            figures.add(**figure)
        files = [os.path.join(bodies, name) for name in sorted(os.listdir(bodies))]
        options = [f'url = "{host}/v1/batch"\ndata-binary = "@{file}"\nheader = "{HEADER}"\noutput = "/dev/null"\n' for file in files]
        config = os.path.join(folder, "curl.conf")
        with open(config, "w") as file:
            file.write("next\n".join(options))
        batches = f"{len(files)} batches of the same bytes"
        seconds = timed(["curl", "-s", "-K", config])
        figures.add("peer curl, one process, per event", seconds * 1e6 / count, None, "µs", f"{count / seconds:.0f} events/s, {batches}")
        script = f'for f in {bodies}/*; do curl -s -o /dev/null -H "{HEADER}" --data-binary "@$f" {host}/v1/batch || exit; done'
        seconds = timed(["sh", "-c", script], 1)
        figures.add("peer curl, a process a batch, per event", seconds * 1e6 / count, None, "µs", f"{count / seconds:.0f} events/s, {batches}")


def measure(build, count, figures):
    bench = os.path.join(build, "delivery-bench")
    calls(bench, figures)
    posts(bench, count, figures)
