import { docsSource } from '../../../service/http/docs-source.ts';
import { declaredOperations, type DeclaredOperation } from '../../../site/docs/operations.ts';
import { topicOf } from '../../../site/docs/topics.ts';
import type { DocsOperation, DocsTopic } from '../../../views/docs/model.ts';

/** All topics of the API documentation. */
export const TOPICS: readonly DocsTopic[] = docsSource.tags.map((tag) => topicOf(tag, docsSource.document(tag)));

/** All operations, each as its section shows it and as the OpenAPI document declares it. */
export const OPERATIONS: readonly { topic: DocsTopic; shown: DocsOperation; declared: DeclaredOperation }[] =
  TOPICS.flatMap((topic) => {
    const declared = declaredOperations(docsSource.document(topic.title));
    return topic.operations.flatMap((shown, index) => {
      const one = declared[index];
      return one ? [{ topic, shown, declared: one }] : [];
    });
  });

/** Returns the topic and anchor of an operation, such as `incidents#create-incident`. */
export const addressOf = ({ topic, shown }: { topic: DocsTopic; shown: DocsOperation }): string =>
  `${topic.name}#${shown.anchor}`;

/** Returns the sample code of an operation in a language, or null if there is none. */
export const codeOf = ({ samples }: DocsOperation, language: string): string | null =>
  samples.find((sample) => sample.language === language)?.code ?? null;

/** Path of the file with the anchors of this and all earlier releases. The file has one line for each operation. */
export const ANCHORS = 'test/site/docs/anchors.txt';

/** Returns the anchors of this release as lines of the file at `ANCHORS`. */
export const anchorLines = (): string[] =>
  OPERATIONS.map((one) => `${addressOf(one)} ${one.shown.methods.join(',')} ${one.shown.path}`);

/**
 * Returns the content of the file at `ANCHORS` with new anchors added. Anchors that no longer exist stay in the file,
 * so a test fails.
 */
export const anchorsText = (known: string): string =>
  [...new Set([...known.split('\n').filter((line) => line !== ''), ...anchorLines()])]
    .map((line) => `${line}\n`)
    .join('');
