/**
 * The line before the first paint that tells who comes to the top of a page on a phone: `data-fresh` on the root lets
 * the first frame be drawn without what lies below the screen (src/styles/fold.css). Who reloads, comes back or follows
 * a link into the page is to land at the same place again, and gets all of it at once.
 */
export const freshVisit =
  'screen.width<480&&screen.height<1100&&!location.hash&&' +
  'performance.getEntriesByType("navigation")[0]?.type==="navigate"&&(document.documentElement.dataset.fresh="")'
