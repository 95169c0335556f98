import { NO_STATE } from '../../../messages/state-colours.ts';
import { badgeSvg } from '../../../messages/badges/badge.ts';
import { mediaType, type MediaType } from '../../../http/media/media-types.ts';

/**
 * The media type of badges. Pages of other origins may embed badges. Errors are sent as badges too, because an <img>
 * can't show text.
 */
export const BADGE: MediaType = mediaType('image/svg+xml', {
  parameter: 'charset=utf-8',
  embeddable: true,
  problem: ({ code, status, message }) =>
    badgeSvg({ label: code.toString(), message: code === 400 ? message : status, color: NO_STATE }),
});
