/**
 * The lines that fetch a page's scripts once it is whole and has been painted, so that none of them stands before what is
 * to be seen; each is asked for in a task of its own. The build writes their addresses on `data-modules`
 * (src/integrations/scripts-after-paint.ts), and the lines take them away when all scripts have run. A button pressed
 * before that waits, and is pressed then.
 */
export const laterScript =
  '(s=>{let m=s.dataset.modules,p=new Set,k=e=>{let b=e.target.closest("button");' +
  'b&&(e.preventDefault(),e.stopImmediatePropagation(),p.add(b))};' +
  'm&&(addEventListener("click",k,!0),Promise.all([' +
  'new Promise(r=>new PerformanceObserver((_,o)=>{o.disconnect();r()}).observe({type:"paint",buffered:!0})),' +
  'new Promise(r=>addEventListener("DOMContentLoaded",r))]).then(()=>' +
  'Promise.allSettled(m.split(" ").map(a=>new Promise(r=>setTimeout(()=>r(import(a))))))).then(()=>{' +
  'removeEventListener("click",k,!0);' +
  'delete s.dataset.modules;p.forEach(b=>b.click())}))' +
  '})(document.currentScript)'
