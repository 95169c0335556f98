import type { DeliveryMessage } from '../../domain/delivery/message.ts';
import type { Fields } from '../../domain/fields.ts';
import { shortenTo, shortenToSize } from '../shorten.ts';
import type { NotificationMessage } from '../notifier.ts';

/** UTF-16 units. */
const LONGEST_TITLE = 250;
/**
 * Maximum size of a message in JSON, bytes. A server turns a message over 4 KiB into an attachment, and accepts twice
 * as much JSON (`message-size-limit`, https://docs.ntfy.sh/config/).
 */
const LONGEST_MESSAGE = 4_096;
/** Maximum size of a link, bytes; a longer one would leave too little space for the rest. */
const LONGEST_LINK = 2_048;

/** Priorities of ntfy, 1 to 5 (https://docs.ntfy.sh/publish/#message-priority), and tags, which it shows as emoji. */
const LOOKS: Readonly<Record<DeliveryMessage['severity'], { priority: number; tag: string }>> = {
  low: { priority: 2, tag: 'information_source' },
  medium: { priority: 3, tag: 'warning' },
  high: { priority: 4, tag: 'rotating_light' },
  critical: { priority: 5, tag: 'rotating_light' },
};
const OVER = { priority: 3, tag: 'white_check_mark' };

/**
 * The body of a request to ntfy, without the topic. Messages with the same `sequence_id` are one notification: a later
 * one replaces the earlier (https://docs.ntfy.sh/publish/#updating-deleting-notifications). Servers before 2.16.0
 * ignore it and show both.
 */
export const ntfyMessage = ({ text, notice }: Pick<NotificationMessage, 'text' | 'notice'>): Fields => {
  if (!notice) return { message: fitting(text) };
  const { title, body, url, severity, over, about } = notice;
  const { priority, tag } = over ? endOf(severity) : LOOKS[severity];
  return {
    title: shortenTo(title, LONGEST_TITLE),
    // If the text is empty, ntfy shows "triggered".
    message: fitting(body === '' ? title : body),
    priority,
    tags: [tag],
    ...(url !== null && bytesOf(url) <= LONGEST_LINK && { click: url }),
    ...(about !== null && { sequence_id: about }),
  };
};

/** A resolution has low priority: it must not wake anybody. */
const endOf = (severity: DeliveryMessage['severity']) => ({
  ...OVER,
  priority: Math.min(OVER.priority, LOOKS[severity].priority),
});

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const fitting = (text: string): string => shortenToSize(text, LONGEST_MESSAGE, bytesOf);
