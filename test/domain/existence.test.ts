import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, NotFound } from '../../domain/errors.ts';
import { requireFound, isExisting, lifecycleOf } from '../../domain/existence.ts';

const test = suite('lifecycle of resources');

type Ship = { status: 'absent' } | { status: 'afloat'; name: string } | { status: 'deleted' } | { status: 'abandoned' };
const argo: Ship = { status: 'afloat', name: 'Argo' };
const gone: Ship[] = [{ status: 'absent' }, { status: 'deleted' }, { status: 'abandoned' }];
const { existing, requireAbsent, onExisting } = lifecycleOf<Ship>('ship');
const renamed = (ship: Ship): Ship => onExisting(ship, (there) => ({ ...there, name: 'Argo II' }));

const refusal = (ask: () => unknown): Error => {
  try {
    ask();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused.');
};

test('the same error reports a nonexistent, a deleted and an abandoned resource', () => {
  assert.ok(isExisting(argo));
  assert.is(existing(argo).name, 'Argo');
  for (const ship of gone) {
    assert.not.ok(isExisting(ship));
    const error = refusal(() => existing(ship));
    assert.instance(error, NotFound);
    assert.is(error.message, 'There is no such ship.');
  }
});

test("a resource can't be created again, even after its deletion", () => {
  requireAbsent({ status: 'absent' });
  for (const ship of [argo, { status: 'deleted' } as const]) {
    const error = refusal(() => {
      requireAbsent(ship);
    });
    assert.instance(error, Conflict);
    assert.is(error.message, 'The ship already exists.');
  }
});

test('a change event of a resource that does not exist makes the stream invalid', () => {
  assert.equal(renamed(argo), { status: 'afloat', name: 'Argo II' });
  for (const ship of gone) {
    const { message } = refusal(() => renamed(ship));
    assert.is(message, `This event can't change the ship: it is ${ship.status}.`);
  }
});

test('a part of a resource exists even if its value is false or empty', () => {
  assert.is(requireFound('', 'text'), '');
  for (const none of [null, undefined]) {
    assert.is(refusal(() => requireFound(none, 'API key')).message, 'There is no such API key.');
  }
});

test.run();
