import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import { renderTexts, unformattedTexts, type MailTexts, type RenderedTexts } from '../../messages/mail/texts.ts';
import type { CauseContext } from '../../reactors/delivery/cause.ts';
import { runThread } from './single-task-thread.ts';

/**
 * Maximum number of characters of texts that are rendered in the calling thread. In the worst case, they block that
 * thread for a hundredth of a second.
 */
const SHORT = 2_000;
/** Time limit of a thread, in milliseconds. The longest texts take a few tenths of a second if a processor is free. */
const TIME_LIMIT_MS = 30_000;
/**
 * Maximum number of e-mails whose rendered texts are cached. The texts of an e-mail usually have a few KB, and at most
 * 100 KB.
 */
const REMEMBERED = 50;
/** Milliseconds for which rendered texts are cached. The result of a failure is cached for the same time. */
const REMEMBERED_FOR_MS = 600_000;

const THREAD = { module: './mail-texts-thread', base: import.meta.url, name: 'texts of an e-mail', memoryMib: 128 };

/**
 * Renders long texts in another thread.
 *
 * @throws Error rendering failed, or the signal aborted
 */
export type RenderElsewhere = (texts: MailTexts, signal: AbortSignal) => Promise<RenderedTexts>;

const inThread: RenderElsewhere = (texts, signal) => runThread<RenderedTexts>(THREAD, texts, signal);

export interface TextRendererOptions {
  elsewhere?: RenderElsewhere;
  timeLimitMs?: number;
}

/**
 * Creates a function that renders the texts of an e-mail. The result is cached, so the texts are rendered one time for
 * all recipients. Long texts are rendered in another thread, one after another, so that they delay nothing else. A text
 * that takes too long, or whose rendering fails, is used as written.
 */
export const createTextRenderer = ({
  elsewhere = inThread,
  timeLimitMs = TIME_LIMIT_MS,
}: TextRendererOptions = {}): CauseContext['renderTexts'] => {
  const known = new LRUCache<string, Promise<RenderedTexts>>({ max: REMEMBERED, ttl: REMEMBERED_FOR_MS });
  const oneByOne = createMutex();
  const rendered = (texts: MailTexts): Promise<RenderedTexts> =>
    oneByOne(() => elsewhere(texts, AbortSignal.timeout(timeLimitMs))).catch(() => unformattedTexts(texts));
  return async (texts) => {
    if (texts.body.markdown.length + texts.footer.markdown.length <= SHORT) return renderTexts(texts);
    const key = createHash('sha256').update(JSON.stringify(texts)).digest('base64');
    const found = known.get(key) ?? rendered(texts);
    if (!known.has(key)) known.set(key, found);
    return found;
  };
};
