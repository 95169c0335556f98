import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, Invalid, NotFound } from '../../../domain/errors.ts';
import type { IncidentTemplateFields } from '../../../domain/incident-template/events.ts';
import {
  createTemplate,
  deleteTemplate,
  incidentTemplateDecider,
  updateTemplate,
  type IncidentTemplate,
} from '../../../domain/incident-template/template.ts';
import type { Page } from '../../../domain/page/state.ts';
import { ORGANIZATION } from '../check/examples.ts';
import { page } from '../incident/examples.ts';
import { componentRemoved, PAGE, pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { TEMPLATE, templateCreated, templateDeleted, templateUpdated } from './examples.ts';

const template = specification(incidentTemplateDecider);
const test = suite('an incident template');

const create =
  (input: Partial<IncidentTemplateFields>, on: Page | null = page()) =>
  (state: IncidentTemplate) =>
    createTemplate(state, TEMPLATE, ORGANIZATION, { name: 'Outage', page_id: PAGE, ...input }, on);
const update =
  (input: Partial<IncidentTemplateFields>, before: Page | null = page(), after = before) =>
  (state: IncidentTemplate) =>
    updateTemplate(state, input, { before, after });

/** Asserts that a decision refuses certain fields with certain errors. */
const refuses = (decide: (state: IncidentTemplate) => unknown, broken: Record<string, string[]>, created = false) => {
  const state = template.given(...(created ? [templateCreated()] : [])).state();
  try {
    decide(state);
  } catch (error) {
    assert.instance(error, Invalid);
    assert.equal((error as Invalid).errors, { json: broken });
    return;
  }
  assert.unreachable();
};

test('an incident template consists of the given fields and defaults', () => {
  template
    .given()
    .when(create({ status: 'identified', components: { api: 'major_outage' } }))
    .then(templateCreated({ status: 'identified', components: { api: 'major_outage' } }));
  template
    .given()
    .when(create({ page_id: null }, null))
    .then(templateCreated({ page_id: null }));
  template.given(templateCreated()).when(create({})).throws(Conflict);
});

test('an incident template accepts only statuses of its kind', () => {
  refuses(create({ status: 'scheduled' }), {
    status: ['Must be one of: investigating, identified, monitoring, resolved.'],
  });
  refuses(create({ kind: 'maintenance', status: 'resolved' }), {
    status: ['Must be one of: scheduled, in_progress, verifying, completed.'],
  });
  template
    .given()
    .when(create({ kind: 'maintenance', status: 'scheduled' }))
    .then(templateCreated({ kind: 'maintenance', status: 'scheduled' }));
});

test('an incident template can name components of its page, and no components if it has no page', () => {
  refuses(create({ components: { other: 'operational', group: 'operational' } }), {
    'components.other': ['Must be a component of this page.'],
    'components.group': ['Is a group, whose status is derived from its components.'],
  });
  refuses(create({ page_id: null, components: { api: 'operational' } }, null), {
    components: ['Requires page_id, since components belong to a page.'],
  });
  refuses(create({}, null), { page_id: ['There is no such page.'] });
  refuses(create({}, page(pageDeleted)), { page_id: ['There is no such page.'] });
  const many = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`c${at}`, 'operational'] as const));
  const state = template.given().state();
  try {
    create({ components: many })(state);
    assert.unreachable();
  } catch (error) {
    assert.equal((error as Invalid).errors.json?.['components'], ['An incident can name at most 300 components.']);
  }
});

test('a change of an incident template contains only the fields that differ', () => {
  template
    .given(templateCreated())
    .when(update({ name: 'Outage', body: 'We look into it.' }))
    .then(templateUpdated({ body: 'We look into it.' }, { body: null }));
  template
    .given(templateCreated())
    .when(update({ name: 'Outage' }))
    .thenNothing();
  template
    .given()
    .when(update({ name: 'Outage' }))
    .throws(NotFound);
  refuses(
    update({ kind: 'maintenance', status: 'identified' }),
    {
      status: ['Must be one of: scheduled, in_progress, verifying, completed.'],
    },
    true,
  );
});

test('an incident template loses its components when it moves to another page', () => {
  const named = templateCreated({ components: { api: 'major_outage' } });
  const previous = { page_id: PAGE, components: { api: 'major_outage' as const } };
  template
    .given(named)
    .when(update({ page_id: null }, page(), null))
    .then(templateUpdated({ page_id: null, components: {} }, previous));
  template
    .given(named)
    .when(update({ page_id: 'page00000002', components: { web: 'operational' } }, page(), page()))
    .then(templateUpdated({ page_id: 'page00000002', components: { web: 'operational' } }, previous));
});

test('an incident template can be changed after its page or a component was deleted', () => {
  const named = templateCreated({ components: { api: 'major_outage', web: 'major_outage' } });
  template
    .given(named)
    .when(update({ name: 'Old' }, page(pageDeleted)))
    .then(
      templateUpdated(
        { page_id: null, components: {}, name: 'Old' },
        { page_id: PAGE, components: { api: 'major_outage', web: 'major_outage' }, name: 'Outage' },
      ),
    );
  template
    .given(named)
    .when(update({ name: 'Old' }, page(componentRemoved('api'))))
    .then(
      templateUpdated(
        { name: 'Old', components: { web: 'major_outage' } },
        { name: 'Outage', components: { api: 'major_outage', web: 'major_outage' } },
      ),
    );
});

test('an incident template is deleted once', () => {
  template.given(templateCreated()).when(deleteTemplate).then(templateDeleted);
  template.given(templateCreated(), templateDeleted).when(deleteTemplate).throws(NotFound);
  template
    .given(templateCreated(), templateDeleted)
    .when(update({ name: 'New' }))
    .throws(NotFound);
});

test.run();
