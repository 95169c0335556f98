import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTabBrowser, message, type OpenStream, type TabBrowser } from './simulated-tabs.ts';

/** Returns the only open stream. Fails if no stream or more than one is open. */
const only = ({ streams }: TabBrowser): OpenStream => {
  assert.is(streams.length, 1, streams.map(({ tab }) => tab).join());
  return streams[0] as OpenStream;
};

/** Opens a stream, and simulates the `ready` message of the service. */
const opens = (stream: OpenStream, id: string): void => {
  stream.onMessages([{ event: 'ready', data: `ready ${id}`, id }]);
  stream.onOpen(stream.since === null);
};

const RESET = '{"resources":null}';

for (const hasLocks of [true, false]) {
  const test = suite(`sharing of the event stream between tabs ${hasLocks ? 'with a lock' : 'without locks'}`);

  const threeTabs = async () => {
    const browser = createTabBrowser({ hasLocks });
    const a = browser.open('a');
    await browser.pass(0);
    const b = browser.open('b');
    const c = browser.open('c');
    await browser.pass(0);
    opens(only(browser), '1');
    await browser.pass(0);
    for (const { events } of [a, b, c]) events.length = 0;
    return { browser, a, b, c };
  };

  test('tabs that are opened together share one stream, and all of them receive its messages', async () => {
    const browser = createTabBrowser({ hasLocks });
    const tabs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(browser.open);
    await browser.pass(1_000);
    const stream = only(browser);
    assert.is(stream.since, null);
    for (const { events } of tabs) assert.equal(events, []);
    opens(stream, '1');
    stream.onMessages([message('2')]);
    await browser.pass(60_000);
    for (const { name, events, memory } of tabs) {
      assert.equal(events, name === stream.tab ? ['ready 1', 'open anew', '2'] : ['open anew', '2'], name);
      assert.is(memory.position, '2');
    }
  });

  test("a tab that is opened later follows the leader, and receives the leader's state before any messages", async () => {
    const { browser, a } = await threeTabs();
    const d = browser.open('d');
    only(browser).onMessages([message('2')]);
    await browser.pass(0);
    only(browser).onMessages([message('3')]);
    await browser.pass(0);
    assert.is(only(browser).tab, 'a');
    assert.equal(a.events, ['2', '3']);
    assert.is(d.events[0], 'open anew');
    assert.is(d.events.at(-1), '3');
    assert.is(d.memory.position, '3');
  });

  test('when the leader tab is closed, the next leader resumes the stream after the last message', async () => {
    const { browser, a, b, c } = await threeTabs();
    only(browser).onMessages([message('2')]);
    await browser.pass(0);
    a.leave();
    await browser.pass(1_000);
    const stream = only(browser);
    assert.is(stream.since, '2');
    stream.onMessages([message('3')]);
    opens(stream, '4');
    await browser.pass(1_000);
    for (const { name, events, memory } of [b, c]) {
      const read = events.filter((event) => !event.startsWith('ready'));
      assert.equal(read.slice(0, 3), ['2', '3', 'open'], name);
      assert.is(memory.position, '4');
    }
    assert.equal(a.events, ['2']);
  });

  test('a message that is in transit when the leader tab is closed reaches every tab', async () => {
    const { browser, a, b, c } = await threeTabs();
    only(browser).onMessages([message('2')]);
    a.leave();
    await browser.pass(1_000);
    // If the next leader starts before the message arrives, it receives the message again from the service.
    const stream = only(browser);
    assert.ok(stream.since === '1' || stream.since === '2');
    for (const { name, events, memory } of [b, c]) {
      assert.equal(events, ['2']);
      assert.is(memory.position, name === stream.tab ? stream.since : '2');
    }
  });

  test('a tab that is shown again becomes the leader, resumes the stream after its own last message, and no tab reloads', async () => {
    const { browser, a, b, c } = await threeTabs();
    b.leave();
    await browser.pass(1_000);
    only(browser).onMessages([message('2'), message('3')]);
    await browser.pass(60_000);
    b.join();
    await browser.pass(0);
    const stream = only(browser);
    assert.equal([stream.tab, stream.since], ['b', '1']);
    stream.onMessages([message('4', '2 and 3')]);
    opens(stream, '4');
    stream.onMessages([message('5')]);
    await browser.pass(60_000);
    assert.is(only(browser), stream);
    assert.equal(b.events, ['2 and 3', 'ready 4', 'open', '5']);
    for (const { events } of [a, c]) assert.equal(events, ['2', '3', '2 and 3', 'ready 4', 'open', '5']);
    for (const { memory } of [a, b, c]) assert.is(memory.position, '5');
  });

  test('if two tabs are shown at the same time, the tab that missed a message reloads everything', async () => {
    const { browser, b, c } = await threeTabs();
    b.leave();
    await browser.pass(0);
    only(browser).onMessages([message('2')]);
    await browser.pass(0);
    c.leave();
    await browser.pass(0);
    b.join();
    c.join();
    await browser.pass(1_000);
    const stream = only(browser);
    assert.is(stream.tab, 'c');
    assert.is(stream.since, '2');
    opens(stream, '3');
    await browser.pass(0);
    assert.equal(b.events, ['open anew']);
    assert.equal(c.events, ['2', 'ready 3', 'open']);
  });

  test('a frozen leader tab is replaced, and follows the new leader after it is thawed', async () => {
    const { browser, a, b, c } = await threeTabs();
    only(browser).onMessages([message('2')]);
    await browser.pass(0);
    const frozen = only(browser);
    a.freeze();
    await browser.pass(40_000);
    const [stream] = browser.streams.filter((one) => one !== frozen);
    assert.ok(stream);
    assert.is(stream.since, '2');
    opens(stream, '3');
    await browser.pass(0);
    a.thaw();
    await browser.pass(0);
    assert.is(only(browser), stream);
    stream.onMessages([message('4')]);
    await browser.pass(60_000);
    assert.is(only(browser), stream);
    for (const { name, events } of [a, b, c]) {
      assert.is(events.at(-1), '4', name);
      assert.not(events.includes('open anew'));
      assert.not(events.includes(RESET));
    }
  });

  test('a leader that has no messages to forward still responds to other tabs, and keeps the stream', async () => {
    const { browser, c } = await threeTabs();
    const stream = only(browser);
    c.freeze();
    await browser.pass(3_600_000);
    c.thaw();
    await browser.pass(3_600_000);
    assert.is(only(browser), stream);
  });

  test('all tabs are notified when the stream ends, and when it is open again', async () => {
    const { browser, a, b, c } = await threeTabs();
    const stream = only(browser);
    stream.onEnd();
    await browser.pass(60_000);
    stream.onEnd();
    const d = browser.open('d');
    await browser.pass(60_000);
    for (const { events } of [a, b, c, d]) assert.equal(events, ['end']);
    stream.onOpen(false);
    await browser.pass(60_000);
    for (const { events } of [a, b, c]) assert.equal(events, ['end', 'open']);
    // Tab d loads everything again, because it was opened while there was no stream.
    assert.equal(d.events, ['end', 'open anew']);
  });

  test('the leader forwards a burst of 1,000 messages immediately and in order', async () => {
    const { browser, a, b, c } = await threeTabs();
    browser.sent.length = 0;
    const burst = Array.from({ length: 1_000 }, (_, index) => message((index + 2).toString()));
    only(browser).onMessages(burst);
    await browser.pass(0);
    assert.is(browser.sent.filter(({ kind }) => kind === 'messages').length, 1);
    for (const { events, memory } of [a, b, c]) {
      assert.equal(
        events,
        burst.map(({ data }) => data),
      );
      assert.is(memory.position, '1001');
    }
  });

  test('a new leader that cannot resume the stream makes the other tabs reload everything', async () => {
    const { browser, a, b, c } = await threeTabs();
    a.freeze();
    const d = browser.open('d');
    // Tab d loads its screen without the stream. It becomes the leader before the other tabs notice that the leader is
    // frozen.
    await browser.pass(2_000);
    assert.equal(d.events, ['end']);
    await browser.pass(7_000);
    const [stream] = browser.streams.filter(({ tab }) => tab === 'd');
    assert.is(stream?.since, null);
    opens(stream as OpenStream, '9');
    await browser.pass(0);
    a.thaw();
    await browser.pass(0);
    assert.is(only(browser), stream);
    for (const { name, events } of [a, b, c]) assert.ok(events.includes(RESET), name);
    assert.equal(d.events, ['end', 'ready 9', 'open anew']);
  });

  test('no tab opens a stream again after the session has ended', async () => {
    const { browser, a, b, c } = await threeTabs();
    for (let left = 3; left > 0; left--) {
      only(browser).signOut();
      await browser.pass(60_000);
    }
    assert.is(browser.streams.length, 0);
    browser.sent.length = 0;
    await browser.pass(3_600_000);
    assert.equal(browser.sent, []);
    for (const { events } of [a, b, c]) assert.not(events.includes('open anew'));
  });

  test('tabs that are closed at the same time close the stream and release the lock', async () => {
    const { browser, a, b, c } = await threeTabs();
    for (const tab of [a, b, c]) tab.leave();
    await browser.pass(0);
    assert.is(browser.streams.length, 0);
    browser.sent.length = 0;
    await browser.pass(3_600_000);
    assert.equal(browser.sent, []);
    const d = browser.open('d');
    await browser.pass(0);
    assert.is(only(browser).tab, 'd');
    d.leave();
  });

  test.run();
}
