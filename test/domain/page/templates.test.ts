import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { templateOf } from '../../../domain/page/templates.ts';
import { pageFields } from './examples.ts';

const test = suite('the template of a page');

const selected = (fields: { template?: string; template_id?: string }): string => templateOf(pageFields(fields)).name;

test('is the default one unless the page names another', () => {
  assert.is(selected({}), 'default');
  assert.is(selected({ template: 'wide', template_id: 'wide00000001' }), 'default');
  assert.is(selected({ template: '', template_id: '' }), 'default');
});

test('is selected by its name or id, in either field', () => {
  assert.is(selected({ template: 'compact' }), 'compact');
  assert.is(selected({ template: 'minimal00000' }), 'minimal');
  assert.is(selected({ template_id: 'compact00000' }), 'compact');
  assert.is(selected({ template: 'wide', template_id: 'minimal' }), 'minimal');
});

test('is that of the field `template` where both name one', () => {
  assert.is(selected({ template: 'compact', template_id: 'minimal00000' }), 'compact');
});

test.run();
