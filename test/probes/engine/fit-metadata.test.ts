import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fitMetadata, halved, type Cut } from '../../../probes/engine/fit-metadata.ts';

interface Facts {
  name: string;
  notes: string[];
  answers: string[];
  truncated?: true;
}

const fitting = suite('metadata over its limit');

const cutNotes: Cut<Facts> = (facts) => (facts.notes.length === 0 ? facts : { ...facts, notes: [] });
const cutAnswers: Cut<Facts> = (facts) =>
  facts.answers.length <= 1 ? facts : { ...facts, answers: halved(facts.answers, 1) };

fitting('metadata within its limit is unchanged', () => {
  const facts: Facts = { name: 'a', notes: ['b'], answers: [] };
  assert.is(fitMetadata(facts, Buffer.byteLength(JSON.stringify(facts)), [cutNotes]), facts);
});

fitting('metadata is cut in the given order, no more than necessary, and is marked as truncated', () => {
  const facts: Facts = {
    name: 'a',
    notes: ['n'.repeat(100)],
    answers: Array.from({ length: 8 }, () => 'ä'.repeat(50)),
  };
  const cut = fitMetadata(facts, 600, [cutNotes, cutAnswers]);
  assert.equal({ ...cut, answers: cut.answers.length }, { name: 'a', notes: [], answers: 4, truncated: true });
  assert.is(facts.notes.length, 1);
});

fitting('metadata that exceeds its limit after all cuts causes an error', () => {
  const facts: Facts = { name: 'a'.repeat(1_000), notes: [], answers: [] };
  assert.throws(() => fitMetadata(facts, 100, [cutNotes]), /^The metadata has 1\d\d\d bytes after all cuts\.$/);
});

fitting.run();
