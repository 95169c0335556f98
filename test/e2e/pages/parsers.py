"""Parses the files of a status page with Python libraries, and prints the result as JSON."""

import json
import pathlib
import sys

import feedparser
import icalendar
from lxml import etree

folder = pathlib.Path(sys.argv[1])
schema = etree.RelaxNG(etree.parse(sys.argv[2]))
seen = {}
for path in sorted(folder.iterdir()):
    data = path.read_bytes()
    if path.suffix == ".ics":
        calendar = icalendar.Calendar.from_ical(data)
        events = calendar.walk("VEVENT")
        seen[path.name] = {
            "titles": [str(event["SUMMARY"]) for event in events],
            "times": [event["DTSTART"].dt.isoformat() for event in events],
            "errors": [str(error) for event in events for error in event.errors],
        }
        continue
    if path.suffix == ".atom":
        schema.assertValid(etree.fromstring(data))
    feed = feedparser.parse(data)
    seen[path.name] = {
        "titles": [entry.title for entry in feed.entries],
        "times": [list(entry.get("updated_parsed") or entry.published_parsed)[:6] for entry in feed.entries],
        "errors": [str(feed.bozo_exception)] if feed.bozo else [],
    }
print(json.dumps(seen))
