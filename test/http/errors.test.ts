import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorResponse } from '../../http/errors.ts';
import { UnknownEvent } from '../../stores/event-store/port.ts';
import { pageCreated } from '../domain/page/examples.ts';
import { recorded } from '../projections/history.ts';

const test = suite('responses to errors');

test('a request that would have to read an event of a newer release gets 503, so that the client repeats it', () => {
  const [event] = recorded([pageCreated()]);
  assert.ok(event);
  const { status, headers, body } = errorResponse(new UnknownEvent(event));
  assert.is(status, 503);
  assert.ok(headers['Retry-After']);
  assert.match(JSON.stringify(body), 'newer release');
});

test.run();
