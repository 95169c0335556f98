import type { DeliveryMessage } from '../../domain/delivery/message.ts';
import type { Fields } from '../../domain/fields.ts';
import { shortenTo, shortenToSize } from '../shorten.ts';
import type { NotificationMessage } from '../notifier.ts';

/** Maximum length of a title, in UTF-16 units. */
const LONGEST_TITLE = 250;
/**
 * Maximum size of a message, in bytes of JSON. ntfy turns a longer message into an attachment. The maximum size of a
 * request is twice as large (`message-size-limit`, https://docs.ntfy.sh/config/).
 */
const LONGEST_MESSAGE = 4_096;
/** Maximum size of a link, in bytes. A longer link would leave too little space for the rest of the request. */
const LONGEST_LINK = 2_048;

/**
 * The ntfy priority (1 to 5, https://docs.ntfy.sh/publish/#message-priority) and the tag for each severity. ntfy shows
 * the tag as an emoji.
 */
const LOOKS: Readonly<Record<DeliveryMessage['severity'], { priority: number; tag: string }>> = {
  low: { priority: 2, tag: 'information_source' },
  medium: { priority: 3, tag: 'warning' },
  high: { priority: 4, tag: 'rotating_light' },
  critical: { priority: 5, tag: 'rotating_light' },
};
const OVER = { priority: 3, tag: 'white_check_mark' };

/**
 * Returns the body of a request to ntfy, without the topic. A message replaces the earlier notification with the same
 * `sequence_id` (https://docs.ntfy.sh/publish/#updating-deleting-notifications). Servers before 2.16.0 ignore
 * `sequence_id` and show both notifications.
 */
export const ntfyMessage = ({ text, notice }: Pick<NotificationMessage, 'text' | 'notice'>): Fields => {
  if (!notice) return { message: fitting(text) };
  const { title, body, url, severity, over, about } = notice;
  const { priority, tag } = over ? endOf(severity) : LOOKS[severity];
  return {
    title: shortenTo(title, LONGEST_TITLE),
    // ntfy would show "triggered" instead of an empty text.
    message: fitting(body === '' ? title : body),
    priority,
    tags: [tag],
    ...(url !== null && bytesOf(url) <= LONGEST_LINK && { click: url }),
    ...(about !== null && { sequence_id: about }),
  };
};

/**
 * Returns priority and tag of a message about a resolved alert. The priority is at most 3, because such a message must
 * not wake anybody.
 */
const endOf = (severity: DeliveryMessage['severity']) => ({
  ...OVER,
  priority: Math.min(OVER.priority, LOOKS[severity].priority),
});

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const fitting = (text: string): string => shortenToSize(text, LONGEST_MESSAGE, bytesOf);
