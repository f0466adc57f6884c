"""A small shop: /buy, a return address, a webhook handler, and /orders/<ref>.json. FAULT plants one mistake."""
import base64, hashlib, json, os, secrets, sqlite3, sys, time
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

GATEWAY = os.environ["MONDIDO_BASE_URL"]
MERCHANT, PASSWORD, SECRET = (os.environ["MONDIDO_" + name] for name in ("MERCHANT_ID", "PASSWORD", "SECRET"))
FAULT = os.environ.get("FAULT", "")
AMOUNT, CURRENCY = "100.00", "sek"

db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
db.execute("CREATE TABLE orders (ref TEXT PRIMARY KEY, status TEXT, amount TEXT, fulfilled INTEGER, refunded TEXT)")
db.execute("CREATE TABLE webhooks (id TEXT PRIMARY KEY)")


def query(statement, *values):
    return db.execute(statement, values).fetchone()


def call(method, path, fields=None):
    login = base64.b64encode(f"{MERCHANT}:{PASSWORD}".encode()).decode()
    body = urlencode(fields).encode() if fields else None
    request = Request(GATEWAY + "/v1" + path, body, {"Authorization": "Basic " + login}, method=method)
    with urlopen(request, timeout=10) as answer:
        return json.load(answer)


def md5(*parts):
    return hashlib.md5("".join(parts).encode()).hexdigest()


def is_genuine(sent_hash, ref, status):
    expected = md5(MERCHANT, ref, "", AMOUNT, CURRENCY, status, SECRET)
    return secrets.compare_digest(expected, sent_hash)


def fulfil(ref):
    """Sends the goods of an order, once."""
    if FAULT == "reads the order and writes it later":  # medusa 13301
        status = query("SELECT status FROM orders WHERE ref = ?", ref)[0]
        time.sleep(0.2)
        if status == "open":
            db.execute("UPDATE orders SET status = 'paid', fulfilled = fulfilled + 1 WHERE ref = ?", (ref,))
        return
    db.execute("UPDATE orders SET status = 'paid', fulfilled = fulfilled + 1 WHERE ref = ? AND status = 'open'", (ref,))


def settle(ref):
    """Reads the payment from the gateway and brings the order in line with it."""
    wanted = "approved" if FAULT != "fulfils every payment that did not fail" else None
    found = call("GET", "/transactions?" + urlencode({"filter[payment_ref]": ref, "order_by": "id:desc"}))
    for transaction in found:
        status = transaction["status"]
        is_paid = status == wanted if wanted else status not in ("failed", "pending")
        if is_paid and transaction["amount"] == AMOUNT and transaction["currency"].lower() == CURRENCY:
            fulfil(ref)
            refunds = call("GET", f"/transactions/{transaction['id']}")["refunds"]
            refunded = f"{sum(float(refund['amount']) for refund in refunds):.2f}"
            if refunds and FAULT == "shows a part of a refund as all of it":
                refunded = AMOUNT
            db.execute("UPDATE orders SET refunded = ? WHERE ref = ?", (refunded, ref))


def buy(here):
    ref = secrets.token_hex(6)
    db.execute("INSERT INTO orders VALUES (?, 'open', ?, 0, '0.00')", (ref, AMOUNT))
    hooks = [
        {"trigger": trigger, "url": here + "/hook", "http_method": "post", "data_format": "json"}
        for trigger in ("payment", "refund")
    ]
    made = call("POST", "/transactions", {
        "payment_ref": ref, "amount": AMOUNT, "currency": CURRENCY, "test": "true", "process": "false",
        "hash": md5(MERCHANT, ref, "", AMOUNT, CURRENCY, "test", SECRET),
        "success_url": f"{here}/back/{ref}", "error_url": f"{here}/back/{ref}", "webhook": json.dumps(hooks),
    })
    return made["href"]


def on_return(ref, sent):
    if FAULT == "checks the hash of a return and not its order":
        if is_genuine(sent.get("hash", ""), sent.get("payment_ref", ""), sent.get("status", "")):
            fulfil(ref)
        return
    settle(ref)


def on_webhook(body, headers):
    if FAULT == "notes a webhook before it reads it":
        if db.execute("INSERT OR IGNORE INTO webhooks VALUES (?)", (headers["webhook-id"],)).rowcount == 0:
            return 200
    try:
        event = json.loads(body)
        ref = event["payment_ref"]
    except (ValueError, KeyError):
        return 400
    if not query("SELECT 1 FROM orders WHERE ref = ?", ref):
        return 404
    if FAULT == "takes the order from the webhook and the status from the gateway":
        if call("GET", f"/transactions/{event['id']}")["status"] == "approved":
            fulfil(ref)
        return 200
    if FAULT == "compares the currency letter by letter" and event["currency"] != "SEK":
        return 200
    if FAULT == "deletes an order that was declined" and event["status"] == "declined":
        db.execute("DELETE FROM orders WHERE ref = ?", (ref,))
        return 200
    if FAULT == "counts each webhook as a payment" and event["status"] == "approved":  # woocommerce-gateway-stripe 2331
        db.execute("UPDATE orders SET status = 'paid', fulfilled = fulfilled + 1 WHERE ref = ?", (ref,))
    settle(ref)
    return 200


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        here = "http://" + self.headers["host"]
        if self.path == "/hook":
            return self.answer(self.careful(lambda: on_webhook(body, self.headers), 500))
        if FAULT == "lets an error of the gateway end the request":
            return self.answer(303, {"location": buy(here)})
        href = self.careful(lambda: buy(here), None)
        self.answer(303, {"location": href}) if href else self.answer(503)

    def do_GET(self):
        url = urlsplit(self.path)
        _, first, ref = (url.path + "//").split("/")[:3]
        ref = ref.removesuffix(".json")
        order = query("SELECT status, amount, fulfilled, refunded FROM orders WHERE ref = ?", ref)
        if not order:
            return self.answer(404)
        if first == "back":
            sent = {name: values[0] for name, values in parse_qs(url.query).items()}
            self.careful(lambda: on_return(ref, sent), None)
            return self.answer(200)
        shown = dict(zip(("status", "amount", "fulfilled", "refunded"), order), currency=CURRENCY)
        self.answer(200, {"content-type": "application/json"}, json.dumps(shown))

    def careful(self, work, otherwise):
        try:
            return work()
        except (OSError, HTTPException):
            return otherwise

    def answer(self, status, headers={}, body=""):
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
