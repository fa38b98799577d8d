"""A client of the studio for tests: what a page sends, and what a page must not be able to send."""

import http.client
import json
import threading


class Client:
    def __init__(self, studio):
        self.studio, self.port = studio, studio.port

    def raw(self, method, path, body=b"", headers=None, host=None):
        """Status, headers and body of any request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        for key, value in (headers or {}).items():
            connection.putheader(key, value)
        if body and "Content-Length" not in (headers or {}):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        if body:
            connection.send(body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), text

    def post(self, name, data, status=200, **headers):
        """The answer to one of the page's questions; of a job the list of its messages."""
        headers = {"Content-Type": "application/json", **headers}
        got, _, text = self.raw("POST", f"/{self.studio.token}/api/{name}", json.dumps(data).encode(), headers)
        assert got == status, text
        lines = [json.loads(line) for line in text.decode().splitlines()]
        return lines[0] if len(lines) == 1 and "kind" not in lines[0] else lines

    def job(self, name, **data):
        """The last message of a job."""
        return self.post(name, data)[-1]

    def begin(self, name, **data):
        """A job that goes on: gives a list that fills with its messages, and the thread that fills it."""
        messages = []

        def listen():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
            body = json.dumps(data)
            connection.request("POST", f"/{self.studio.token}/api/{name}", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            for line in iter(answer.readline, b""):
                messages.append(json.loads(line))
            connection.close()

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        return messages, thread
