// Shows the details of bars, and times in the visitor's time zone. The pages also work without this script.
import { followStrips, prepareStrips } from './_strips.ts';
import { followMoments, showMoments } from './_moment.ts';
import { localTimes } from './_times.ts';

localTimes();
prepareStrips();
followStrips();
showMoments();
followMoments();
// live.ts sends this event after it has replaced parts of the document.
document.addEventListener('live:updated', () => {
  localTimes();
  prepareStrips();
  showMoments();
});
