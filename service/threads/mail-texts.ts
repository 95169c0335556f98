import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/mutex.ts';
import { renderTexts, unformattedTexts, type MailTexts, type RenderedTexts } from '../../messages/mail/texts.ts';
import type { CauseContext } from '../../reactors/delivery/cause.ts';
import { madeByThread } from './file-thread.ts';

/** Characters that are rendered at once: the worst of them take this thread for a hundredth of a second. */
const SHORT = 2_000;
/** How long a thread may take. The longest texts take it a few tenths of a second, where the processor is free. */
const TIME_LIMIT_MS = 30_000;
/** E-mails whose texts are remembered; each has 100 KB at most, usually a few. */
const REMEMBERED = 50;
/** Also what failed is tried again after that. */
const REMEMBERED_FOR_MS = 600_000;

const THREAD = { module: './mail-texts-thread', base: import.meta.url, name: 'texts of an e-mail', memoryMib: 128 };

/** What renders long texts elsewhere. @throws Error it failed, or the signal aborted */
export type RenderElsewhere = (texts: MailTexts, signal: AbortSignal) => Promise<RenderedTexts>;

const inThread: RenderElsewhere = (texts, signal) => madeByThread<RenderedTexts>(THREAD, texts, signal);

export interface TextRendererOptions {
  elsewhere?: RenderElsewhere;
  timeLimitMs?: number;
}

/**
 * Renders the texts of e-mails, each once for all its receivers. Long ones are rendered in another thread, one after
 * another, so that they hold up nothing; what takes too long there, or fails, stays as it was written.
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
