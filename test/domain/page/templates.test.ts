import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { templateOf } from '../../../domain/page/templates.ts';
import { pageFields } from './examples.ts';

const test = suite('the template of a page');

const selected = (fields: { template?: string; template_id?: string }): string => templateOf(pageFields(fields)).name;

test('a page has the default template unless it names another template', () => {
  assert.is(selected({}), 'default');
  assert.is(selected({ template: 'wide', template_id: 'wide00000001' }), 'default');
  assert.is(selected({ template: '', template_id: '' }), 'default');
});

test('the template of a page is selected by its name or its ID, in the field `template` or `template_id`', () => {
  assert.is(selected({ template: 'compact' }), 'compact');
  assert.is(selected({ template: 'minimal00000' }), 'minimal');
  assert.is(selected({ template_id: 'compact00000' }), 'compact');
  assert.is(selected({ template: 'wide', template_id: 'minimal' }), 'minimal');
});

test('the field `template` of a page takes precedence if both fields name a template', () => {
  assert.is(selected({ template: 'compact', template_id: 'minimal00000' }), 'compact');
});

test.run();
