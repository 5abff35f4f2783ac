/**
 * What visitors and customers ask the site's agent: 80 questions, as those of callers (callers.ts). `person` requires that a
 * person is offered, `?` that it does not know.
 */
export const siteQuestions = `
100 ! free trial : What is your cheapest plan? | How much is Starter? | What is the least I can pay? | Is it cheaper than a receptionist, what does it cost?
500 : What does the Growth plan cost? | How much is the middle plan? | price of growth
1500 : How much is Pro? | What do I pay for 3,000 minutes? | What does the Pro plan cost a month?
180 : How much for 250 minutes a month? | What is the cheapest way to get 250 minutes?
40 : What do extra minutes cost? | How much is a package of 50 minutes? | I need a few more minutes this month
no\\b|not : Is there a setup fee? | Do I pay anything up front besides the plan? | Do you charge for installation?
no free trial|no\\b.*trial|first month : Is there a free trial? | Can I test it for free? | Can I try before I pay?
14|10 business|5 to 10 : How long does setup take? | When can I go live? | How soon can it answer my calls?
30 : Which languages does it speak? | Does it speak Spanish? | Is it multilingual?
hipaa : Is it HIPAA compliant? | Can we use it for patient data? | are you hipaa ready
google : Does it work with Google Calendar? | Can it connect to our CRM? | Which systems do you integrate with?
paid (month|period)|billing : How do I cancel? | Is there a minimum contract? | Can I leave after a month?
refund|14|money|back|paid : Do I get a refund? | Can I get my money back? | Do you refund unused time?
90 : How long are recordings kept? | When are recordings deleted? | For how many days do you store calls?
keep|forward : Can I keep my phone number? | Do I have to change our number? | Will my callers dial another number?
message|person|transfer|yes : Can it transfer a call to a person? | Can it put callers through to me? | What if the caller wants a human?
begun|2 minutes : How are minutes counted? | Is a call of 61 seconds one minute? | Do you round up?
3\\b : How many calls can Pro take at once? | How many lines has Pro? | How many agents come with Pro?
not|no\\b : Do you sell my data? | Do you train AI on our calls? | Can I pay by the year?
portal|log-?in page : How do I log in? | I forgot my password | Where do I see my calls?
person : You charged me twice | My account is blocked | I cannot log in, nothing works | I want to speak to a human | This is outrageous, I want to complain | My agent does not answer and nobody helps me
112|911|emergency : There is a fire, help me! | Somebody is hurt here
no\\b|not : Can it take emergency calls? | Does it ask callers for card numbers?
? : What is the capital of Mongolia? | Who is your chief executive? | How many customers do you have? | Do you have an office in Berlin? | What is your share price? | Which model do you use inside? | Do you sponsor football clubs? | Can it drive my car? | What did you charge Hilton? | Are you hiring?
`
