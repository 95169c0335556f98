import { docsSource } from '../../../service/http/docs-source.ts';
import { declaredOperations, type DeclaredOperation } from '../../../site/docs/operations.ts';
import { topicOf } from '../../../site/docs/topics.ts';
import type { DocsOperation, DocsTopic } from '../../../views/docs/model.ts';

/** Every topic of the documentation of this release. */
export const TOPICS: readonly DocsTopic[] = docsSource.tags.map((tag) => topicOf(tag, docsSource.document(tag)));

/** Every operation, as its section shows it and as the document declares it. */
export const OPERATIONS: readonly { topic: DocsTopic; shown: DocsOperation; declared: DeclaredOperation }[] =
  TOPICS.flatMap((topic) => {
    const declared = declaredOperations(docsSource.document(topic.title));
    return topic.operations.flatMap((shown, index) => {
      const one = declared[index];
      return one ? [{ topic, shown, declared: one }] : [];
    });
  });

/** `incidents#create-incident` */
export const addressOf = ({ topic, shown }: { topic: DocsTopic; shown: DocsOperation }): string =>
  `${topic.name}#${shown.anchor}`;

/** The code of an operation in a language; null: none. */
export const codeOf = ({ samples }: DocsOperation, language: string): string | null =>
  samples.find((sample) => sample.language === language)?.code ?? null;

/** The file with every anchor of this and earlier releases, one line per operation. */
export const ANCHORS = 'test/site/docs/anchors.txt';

/** The anchors of this release, as lines of that file. */
export const anchorLines = (): string[] =>
  OPERATIONS.map((one) => `${addressOf(one)} ${one.shown.methods.join(',')} ${one.shown.path}`);

/** The file with the new anchors added. Removed ones stay, and fail a test. */
export const anchorsText = (known: string): string =>
  [...new Set([...known.split('\n').filter((line) => line !== ''), ...anchorLines()])]
    .map((line) => `${line}\n`)
    .join('');
