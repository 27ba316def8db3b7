"""Receives and verifies deliveries with nothing but Python 3. Run: WEBHOOK_SECRET=whsec_... python3 verify.py"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def verify_delivery(raw_body: bytes, headers, secret: str) -> dict:
    """The message, or ValueError when the delivery is not ours, was changed on its way or is a replay."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise ValueError("no timestamp")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("too old or too new")

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(one.encode(), expected) for one in given):
        raise ValueError("the signature does not match")
    return json.loads(raw_body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            message = verify_delivery(raw_body, self.headers, os.environ["WEBHOOK_SECRET"])
        except ValueError as error:
            self.send_response(400)
            self.end_headers()
            self.wfile.write(str(error).encode())
            return
        print("verified", message["id"], message["type"], flush=True)
        self.send_response(204)  # answer first, within 10 s; then do the work
        self.end_headers()

    def log_message(self, *_args):
        """Quiet: the default writes a line a request to stderr."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
