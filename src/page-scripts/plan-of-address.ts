/** Shows what the built HTML has for the plan of the address, before the first paint (checkout/ui/OfPlan.tsx). */
const plan = new URLSearchParams(location.search).get('plan')
for (const part of document.querySelectorAll<HTMLElement>('[data-plan]'))
  part.classList.toggle('hidden', part.dataset.plan !== plan)
