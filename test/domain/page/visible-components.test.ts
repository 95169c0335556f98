import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visibleComponents, type VisibilityInput } from '../../../domain/page/visible-components.ts';

const test = suite('visible components of a page');

const component = (id: string, changes: Partial<VisibilityInput> = {}): VisibilityInput => ({
  id,
  group: false,
  group_id: null,
  only_show_if_degraded: false,
  status: 'operational',
  ...changes,
});
const idsOf = (components: readonly VisibilityInput[]): string[] => visibleComponents(components).map(({ id }) => id);

test('components that are shown only while degraded are left out while operational', () => {
  const only_show_if_degraded = true;
  assert.equal(idsOf([component('a'), component('b', { only_show_if_degraded })]), ['a']);
  assert.equal(idsOf([component('b', { only_show_if_degraded, status: 'partial_outage' })]), ['b']);
});

test('a hidden group is left out with its components', () => {
  const group = component('g', { group: true, only_show_if_degraded: true });
  assert.equal(idsOf([group, component('a', { group_id: 'g' }), component('b')]), ['b']);
});

test('a group without visible components is left out', () => {
  const group = component('g', { group: true });
  assert.equal(idsOf([group, component('a', { group_id: 'g', only_show_if_degraded: true })]), []);
  assert.equal(idsOf([group]), []);
});

test.run();
