import type { Notice } from '../../domain/delivery/notice.ts';
import type { Fields } from '../../domain/fields.ts';
import { cutTo, cutToSize } from '../cut.ts';
import type { Message } from '../notifier.ts';

/** UTF-16 units. */
const LONGEST_TITLE = 250;
/**
 * Bytes of a message as it stands in JSON. A server makes an attachment of a message of more than 4 KiB, and takes twice
 * as much JSON (`message-size-limit`, https://docs.ntfy.sh/config/).
 */
const LONGEST_MESSAGE = 4_096;
/** Bytes of a link; a longer one would leave no room for the rest. */
const LONGEST_LINK = 2_048;

/** Priorities of ntfy, 1 to 5 (https://docs.ntfy.sh/publish/#message-priority), and tags that it shows as signs. */
const LOOKS: Readonly<Record<Notice['severity'], { priority: number; tag: string }>> = {
  low: { priority: 2, tag: 'information_source' },
  medium: { priority: 3, tag: 'warning' },
  high: { priority: 4, tag: 'rotating_light' },
  critical: { priority: 5, tag: 'rotating_light' },
};
const OVER = { priority: 3, tag: 'white_check_mark' };

/**
 * The body of a request to ntfy, besides the topic. Messages with the same `sequence_id` are one notification, which
 * the later one replaces (https://docs.ntfy.sh/publish/#updating-deleting-notifications); a server before 2.16.0 ignores
 * it, and shows both.
 */
export const ntfyMessage = ({ text, notice }: Pick<Message, 'text' | 'notice'>): Fields => {
  if (!notice) return { message: fitting(text) };
  const { title, body, url, severity, over, about } = notice;
  const { priority, tag } = over ? endOf(severity) : LOOKS[severity];
  return {
    title: cutTo(title, LONGEST_TITLE),
    // Without a text, ntfy says "triggered".
    message: fitting(body === '' ? title : body),
    priority,
    tags: [tag],
    ...(url !== null && bytesOf(url) <= LONGEST_LINK && { click: url }),
    ...(about !== null && { sequence_id: about }),
  };
};

/** Nobody is woken to learn that it is over. */
const endOf = (severity: Notice['severity']) => ({
  ...OVER,
  priority: Math.min(OVER.priority, LOOKS[severity].priority),
});

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const fitting = (text: string): string => cutToSize(text, LONGEST_MESSAGE, bytesOf);
