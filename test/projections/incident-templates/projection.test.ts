import { suite } from 'uvu';
import { incidentTemplates } from '../../../projections/incident-templates/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import {
  TEMPLATE,
  templateCreated,
  templateDeleted,
  templateFields,
  templateUpdated,
} from '../../domain/incident-template/examples.ts';
import { componentRemoved, pageDeleted } from '../../domain/page/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const renamed = templateUpdated({ name: 'Old' }, { name: 'Outage' });

projectionRules(incidentTemplates, [
  templateCreated({ components: { api: 'major_outage' } }),
  renamed,
  componentRemoved('api'),
  pageDeleted,
  templateDeleted,
]);

const test = suite('the read model of incident templates');

const ids = { id: TEMPLATE, organization_id: ORGANIZATION };
const named = templateCreated({ components: { api: 'major_outage', web: 'partial_outage' } });

test('an incident template has its present state and the time of its newest change', async () => {
  await projection(incidentTemplates)
    .given(templateCreated(), renamed)
    .then('incident_templates', {
      ...templateFields({ name: 'Old' }),
      ...ids,
      revision: 2,
      created_at: '2026-11-20T15:00:00.000000',
      updated_at: '2026-11-20T15:00:01.000000',
    });
});

const asCreated = { revision: 1, created_at: '2026-11-20T15:00:00.000000', updated_at: '2026-11-20T15:00:00.000000' };

test('an incident template names no removed component', async () => {
  await projection(incidentTemplates)
    .given(named, componentRemoved('api'), componentRemoved('db'))
    .then('incident_templates', {
      ...templateFields({ components: { web: 'partial_outage' } }),
      ...ids,
      ...asCreated,
    });
});

test('incident templates of a deleted page become templates for all pages', async () => {
  await projection(incidentTemplates)
    .given(named, pageDeleted)
    .then('incident_templates', { ...templateFields({ page_id: null, components: {} }), ...ids, ...asCreated });
});

test('a deleted incident template is removed from the read model', async () => {
  await projection(incidentTemplates).given(templateCreated(), templateDeleted).thenNone('incident_templates');
});

test.run();
