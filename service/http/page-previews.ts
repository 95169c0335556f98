import type { PreviewPage } from '../../api/v1/pages/preview.ts';
import type { PublicAddressSettings } from '../../domain/page/public-address.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../../domain/subscriber/events.ts';
import { pageClock } from '../../site/pages/changes/clock.ts';
import { previewStatusPage } from '../../site/pages/status/preview.ts';
import { createTagFigures } from '../../site/pages/tag-figures.ts';

export interface PagePreviewOptions {
  /** public addresses of the service */
  places: PublicAddressSettings;
  /** the ways in which this service can send messages to subscribers; default: all */
  sentModes?: ReadonlySet<SubscriberMode>;
}

/**
 * Creates the function that shows a page as it would look with other fields. The code that renders pages gets the
 * fields of the request instead of the stored ones.
 */
export const createPagePreviews = ({
  places,
  sentModes = new Set(SUBSCRIBER_MODES),
}: PagePreviewOptions): PreviewPage => {
  const tagFigures = createTagFigures(pageClock);
  return (scope, page, fields) =>
    previewStatusPage({ scope, page: { ...page, ...fields }, tagFigures, places, sentModes });
};
