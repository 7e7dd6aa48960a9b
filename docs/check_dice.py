import hashlib, hmac, itertools, json, sys
record = json.load(open(sys.argv[1])); dice = record["dice"]; secret = bytes.fromhex(dice["secret"])
assert hashlib.sha256(secret).hexdigest() == dice["commitment"], "not the secret that was committed to"
given = ",".join(one["hex"] for one in dice["contributions"])
def stream(n): return itertools.chain.from_iterable(hmac.new(secret, f"{record['code']}|{given}|{n}|{block}".encode(), "sha256").digest() for block in itertools.count())
if "order" in dice: assert next(b % 24 for b in stream(0) if b < 240) == dice["order"], "the set-up was not drawn"
rolls = [event["roll"] for event in record["events"] if "roll" in event]
for n, roll in enumerate(rolls, 1):
    assert [b % 6 + 1 for b in itertools.islice((b for b in stream(n) if b < 252), len(roll))] == roll, f"roll {n} is not fair"
print(f"all {len(rolls)} rolls of {record['code']} are fair")
