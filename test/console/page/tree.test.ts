import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  movedTo,
  withMoves,
  componentMoves,
  treePositionOf,
  stepOf,
  treeOf,
  type Component,
  type Tree,
} from '../../../console/screens/page/components/tree.ts';

const test = suite('the component tree in the console');

const component = (id: string, position: number, more: Partial<Component> = {}): Component => ({
  id,
  page_id: 'page',
  name: id,
  description: null,
  group: false,
  group_id: null,
  position,
  showcase: true,
  only_show_if_degraded: false,
  start_date: null,
  check_id: null,
  check_tag: null,
  show_response_times: false,
  status: 'operational',
  managed_by: null,
  revision: 1,
  created_at: '',
  updated_at: '',
  ...more,
});

/** Formats a tree on one line: `a g(b c) d`. */
const written = (tree: Tree): string =>
  tree
    .map(({ component: { id, group }, members }) => (group ? `${id}(${members.map((one) => one.id).join(' ')})` : id))
    .join(' ');

const PAGE = [
  component('d', 3),
  component('a', 1),
  component('g', 2, { group: true }),
  component('c', 2, { group_id: 'g' }),
  component('b', 1, { group_id: 'g' }),
];

const step = (components: readonly Component[], id: string, direction: -1 | 1): Component[] | null => {
  const tree = treeOf(components);
  const to = stepOf(tree, id, direction);
  return to && withMoves(components, componentMoves(components, movedTo(tree, id, to), id));
};

test('the component tree contains groups with their components, ordered by position and then by name', () => {
  assert.is(written(treeOf(PAGE)), 'a g(b c) d');
  assert.is(written(treeOf([component('z', 1), component('y', 1)])), 'y z');
  // A component is shown outside of groups if its group has just been deleted.
  assert.is(written(treeOf([component('x', 1, { group_id: 'gone' })])), 'x');
  assert.equal(treePositionOf(treeOf(PAGE), 'c'), { group: 'g', index: 1 });
  assert.is(treePositionOf(treeOf(PAGE), 'nobody'), null);
});

test('a component can be moved step by step into and out of groups, down and back up', () => {
  let now: Component[] | null = PAGE;
  const down = ['g(a b c) d', 'g(b a c) d', 'g(b c a) d', 'g(b c) a d', 'g(b c) d a'];
  for (const expected of down) {
    now = step(now ?? [], 'a', 1);
    assert.is(written(treeOf(now ?? [])), expected);
  }
  assert.is(step(now ?? [], 'a', 1), null);
  for (const expected of [...down.slice(0, -1).reverse(), 'a g(b c) d']) {
    now = step(now ?? [], 'a', -1);
    assert.is(written(treeOf(now ?? [])), expected);
  }
  assert.is(step(now ?? [], 'a', -1), null);
});

test('a group can be moved past its neighbours, but not into another group', () => {
  const page = [...PAGE, component('h', 4, { group: true })];
  assert.is(written(treeOf(step(page, 'g', -1) ?? [])), 'g(b c) a d h()');
  const past = step(step(page, 'g', 1) ?? [], 'g', 1);
  assert.is(written(treeOf(past ?? [])), 'a d h() g(b c)');
  const tree = treeOf(page);
  assert.is(movedTo(tree, 'g', { group: 'h', index: 0 }), tree);
});

test('moving a component sends as few new positions as possible', () => {
  const many = Array.from({ length: 100 }, (_, index) => component(`c${index.toString().padStart(2, '0')}`, index + 1));
  const sent = (id: string, index: number): string[] =>
    componentMoves(many, movedTo(treeOf(many), id, { group: null, index }), id).map((one) => one.id);
  assert.equal(sent('c50', 49).sort(), ['c49', 'c50']);
  assert.equal(sent('c00', 99), ['c00']);
  assert.is(sent('c99', 0).length, 100);
});

test('the stored order of components equals the shown order after any move', () => {
  const ids = PAGE.filter(({ group }) => !group).map(({ id }) => id);
  for (const id of ids) {
    for (const group of [null, 'g']) {
      for (const index of [0, 1, 2]) {
        const tree = movedTo(treeOf(PAGE), id, { group, index });
        assert.is(
          written(treeOf(withMoves(PAGE, componentMoves(PAGE, tree, id)))),
          written(tree),
          `${id} ${String(group)} ${index}`,
        );
      }
    }
  }
});

test.run();
