import type { JSX } from 'preact';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="9" fill="#16935a"/>' +
  '<path d="M5.8 10.4l2.9 2.9 5.5-6" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The icon of the service's own pages. It is embedded in the page, so browsers do not request it. */
export const ServiceIcon = (): JSX.Element => (
  <link rel="icon" type="image/svg+xml" href={`data:image/svg+xml,${encodeURIComponent(SVG)}`} />
);
