import { suite } from 'uvu';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { updateComponent } from '../../../domain/page/components.ts';
import type { PageEvent } from '../../../domain/page/events.ts';
import { holdComponent, releaseComponent } from '../../../domain/page/held-statuses.ts';
import { pageDecider } from '../../../domain/page/state.ts';
import { specification } from '../specification.ts';
import {
  componentAdded,
  componentHeld,
  componentReleased,
  componentRemoved,
  componentUpdated,
  LATER,
  NOW,
  pageCreated,
  pageDeleted,
} from './examples.ts';

const test = suite('held statuses of a component');
const page = specification(pageDecider);
const given = (...more: PageEvent[]) => page.given(pageCreated(), componentAdded('web'), ...more);
const held = componentHeld('web', 'one', 'major_outage');

test('each source holds a component in a status once, and releases the component once', () => {
  given()
    .when((state) => holdComponent(state, 'web', 'one', 'major_outage', LATER))
    .then(held);
  given(held)
    .when((state) => holdComponent(state, 'web', 'one', 'major_outage', LATER))
    .then();
  given(held)
    .when((state) => holdComponent(state, 'web', 'one', 'partial_outage', LATER))
    .then(componentHeld('web', 'one', 'partial_outage'));
  given(held)
    .when((state) => releaseComponent(state, 'web', 'one', LATER))
    .then(componentReleased('web', 'one'));
  given(held, componentReleased('web', 'one'))
    .when((state) => releaseComponent(state, 'web', 'one', LATER))
    .then();
});

test("a removed component and a group can't be held, and have nothing to release", () => {
  for (const gone of [componentRemoved('web'), pageDeleted]) {
    given(held, gone)
      .when((state) => holdComponent(state, 'web', 'two', 'major_outage', LATER))
      .throws(NotFound);
    given(held, gone)
      .when((state) => releaseComponent(state, 'web', 'one', LATER))
      .then();
  }
  given(componentAdded('group', { group: true }))
    .when((state) => holdComponent(state, 'group', 'one', 'major_outage', LATER))
    .throws(IllegalState);
});

test('held statuses keep their order if the clock was set back', () => {
  given(componentUpdated('web', { status: 'partial_outage' }, { status: 'operational' }))
    .when((state) => holdComponent(state, 'web', 'one', 'major_outage', NOW))
    .then(held);
  given(held)
    .when((state) => releaseComponent(state, 'web', 'one', NOW))
    .then(componentReleased('web', 'one'));
  const shown = { status: 'major_outage', updated_at: LATER } as const;
  given(held)
    .when((state) => updateComponent(state, 'web', { status: 'operational' }, shown, NOW))
    .then(componentUpdated('web', { status: 'operational' }, { status: 'major_outage' }));
});

test.run();
