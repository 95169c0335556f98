import { suite } from 'uvu';
import {
  checkGroupDecider,
  createCheckGroup,
  deleteCheckGroup,
  updateCheckGroup,
} from '../../../domain/check-group/check-group.ts';
import { createCheck, groupCheck } from '../../../domain/check/decide.ts';
import { checkDecider } from '../../../domain/check/state.ts';
import { Conflict, NotFound } from '../../../domain/errors.ts';
import { CHECK, checkCreated, checkDeleted, checkGrouped, GROUP, newCheck, ORGANIZATION } from '../check/examples.ts';
import { specification } from '../specification.ts';
import { groupCreated, groupDeleted, groupUpdated } from './examples.ts';

const group = specification(checkGroupDecider);
const check = specification(checkDecider);
const test = suite('a check group');

test('a check group consists of the given fields and defaults, and is last by default', () => {
  group
    .given()
    .when((state) => createCheckGroup(state, GROUP, ORGANIZATION, { name: 'Shops', color: '#1A7F37' }, 4))
    .then(groupCreated({ color: '#1A7F37', position: 4 }));
});

test('a check group has the given position', () => {
  group
    .given()
    .when((state) => createCheckGroup(state, GROUP, ORGANIZATION, { name: 'Shops', position: 2 }, 4))
    .then(groupCreated({ position: 2 }));
  group
    .given(groupCreated())
    .when((state) => createCheckGroup(state, GROUP, ORGANIZATION, { name: 'Shops' }, 1))
    .throws(Conflict);
});

test('a change of a check group contains only the fields that differ', () => {
  const pausing = groupUpdated({ active: false }, { active: true });
  group
    .given(groupCreated())
    .when((state) => updateCheckGroup(state, { name: 'Shops', active: false }))
    .then(pausing);
  group
    .given(groupCreated(), pausing)
    .when((state) => updateCheckGroup(state, { active: false }))
    .thenNothing();
});

test('a check group is deleted once', () => {
  group.given(groupCreated()).when(deleteCheckGroup).then(groupDeleted);
  group.given(groupCreated(), groupDeleted).when(deleteCheckGroup).throws(NotFound, 'There is no such check group.');
});

test('a check can be created in a check group', () => {
  check
    .given()
    .when((state) => createCheck(state, CHECK, ORGANIZATION, newCheck(), { group_id: GROUP, position: 2 }))
    .then(checkCreated({}, { group_id: GROUP, position: 2 }));
});

test('moving a check into a check group records its previous group', () => {
  const second = { group_id: 'group0000002', position: 7 };
  check
    .given(checkCreated())
    .when((state) => groupCheck(state, { group_id: GROUP, position: 1 }))
    .then(checkGrouped());
  check
    .given(checkCreated(), checkGrouped())
    .when((state) => groupCheck(state, second))
    .then(checkGrouped({ ...second, previous: { group_id: GROUP, position: 1 } }));
});

test('a check that is already in a check group is not added to it again', () => {
  check
    .given(checkCreated(), checkGrouped())
    .when((state) => groupCheck(state, { group_id: GROUP, position: 1 }))
    .thenNothing();
  check
    .given(checkCreated(), checkGrouped())
    .when((state) => groupCheck(state, { group_id: GROUP, position: 2 }))
    .then(checkGrouped({ position: 2, previous: { group_id: GROUP, position: 1 } }));
});

test('a check that leaves its check group has no position', () => {
  const none = { group_id: null, position: null };
  check
    .given(checkCreated(), checkGrouped())
    .when((state) => groupCheck(state, { group_id: null, position: 3 }))
    .then(checkGrouped({ ...none, previous: { group_id: GROUP, position: 1 } }));
  check
    .given(checkCreated())
    .when((state) => groupCheck(state, { group_id: null, position: 3 }))
    .thenNothing();
});

test("a deleted check can't be added to a check group", () => {
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => groupCheck(state, { group_id: GROUP, position: 1 }))
    .throws(NotFound);
});

test.run();
