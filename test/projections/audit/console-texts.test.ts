import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { CONSOLE_WORDS } from '../../../messages/console-words/index.ts';
import { auditSubjectOf } from '../../../projections/audit/subjects.ts';
import { goldenEvents } from '../../golden/golden.ts';

const test = suite('texts of the console for the audit log');

test('every resource type and action of the audit log has a text in the console', async () => {
  const { resources, verbs } = (await CONSOLE_WORDS.en()).audit;
  const wordless: string[] = [];
  for (const { stream, ...event } of goldenEvents().values()) {
    const store = createMemoryEventStore('main');
    await store.append(stream, [event], 'no_stream');
    const [read] = await createCheckedStore(store).readAll({ after: 0n });
    assert.ok(read);
    await store.close();
    const subject = auditSubjectOf(read);
    if (!subject || subject.unlisted === true) continue;
    const { action, resource_type } = subject;
    const verb = action.slice(resource_type.length + 1);
    if (!(resource_type in resources) || !(verb in verbs)) wordless.push(action);
  }
  assert.equal([...new Set(wordless)], []);
});

test.run();
