/**
 * English, a line a notion. Before the colon: words that tool definitions use for it, which stand for each other. After it: what
 * people say instead, words and phrases alike. Endings do not matter.
 *
 * A line is for what tools in general do; none is there for one server's sake.
 */
export const groups = `
get, read, fetch, retrieve: show, tell me, give me, see, look at, view, display, print, obtain, look up, pull up, bring up, check, open, what is, what are, what does, peek, glance, inside of the file
list directory, list, contents: what is in, what is inside, inside of
list, enumerate: show, show me all, which, what are, see all, overview, what do i have, everything in, available, browse, inventory, names of, do we have, are there, exist, exists, at the moment
search, find, query, lookup: look for, looking for, locate, hunt, discover, seek, where is, where are, track down, dig up, any mention, mentions, who has, grep, google
create, add, new, insert, generate: make, set up, build, draft, compose, write up, introduce, produce, establish
update, edit, modify, set, change: alter, adjust, rename, fix, replace, correct, rewrite, revise, amend, tweak, swap, patch, turn into, mark as, mark the, solved, resolve it
delete, remove: erase, get rid of, throw away, clear, discard, throw out, kick out, wipe, purge, trash, clean up, destroy, eliminate, take out, forget, dispose
write, save: put into, store, note down, jot down, keep, persist, dump, record, log, save some words, put on disk, write down, to disk
move, rename: relocate, shift, transfer, call it differently, different name, give another name, new name, put somewhere else
copy, duplicate, clone: replicate, same again, make another, twin, copy of the sources, a second one
run, execute, start, launch: perform, invoke, trigger, kick off, carry out, spin up
stop, kill, terminate, cancel, abort: shut down, force quit, not responding, hanging, frozen, put an end, interrupt, end the task, end the process, end the program, put it down
close: shut, exit
send, post, submit: deliver, transmit, hand in, publish
download, export, save: grab, get a copy, pull down, keep locally, offline copy
upload, attach: put online, send a file, push a file, attachment, provide a file
wait: pause, hold on, until it appears, until ready, sleep, delay, hold on until, until it is gone, until loaded, spinner, give it a second, not yet loaded
compare, diff: difference, differences, differ, contrast, versus, against each other, side by side, what is different
install, add, setup: get going with, include, bring in, into my app, into my project, in my app, get it into
validate, check, verify, lint: correct, valid, mistakes, is it right, make sure, sanity, problems with, well formed, anything wrong
analyze, inspect, examine: understand, look into, investigate, dig into, study, figure out, diagnose, break down, evaluate
explain, describe: what does it mean, details, details about, tell me about, clarify, more about
count, total, aggregate, sum, statistics, stats: how many, number of, amount, tally, average, how much, how many orders, how many entries, how many did
configure, configuration, config, settings: preferences, customize, set up
enable, activate: switch on, turn on, allow
disable, deactivate: switch off, turn off
connect, connection: link up, attach to, hook up, log into, reach, get access, session with
history, log, logs: past, what happened, previously, earlier, timeline, trail, back then, before
recent, latest, last: newest, most current, fresh, up to date
status, state, health: how is it going, how are things, running, alive, up or down, progress, in what condition, healthy
schedule, cron: recurring, every day, every hour, periodically

file, files, document: text, contents, on disk, paper, script, source, essay, letter, report, cv, resume, recipe, memo, readme, textfile, papers, manuscript
directory, folder, directories: dir, location, what is in here, place where, path, below this, drawer
tree, structure, hierarchy: nested, layout of, outline, nested, everything below, outline of everything, at a glance
permissions, metadata, file info, size, stat: how big, how large, when was it changed, when was it modified, last touched, file details, bytes, bytes, kilobytes, megabytes, how many bytes, how long is the file, last touched, when touched, how old is this file, how big is the file, how big is this, owner of the file
glob, pattern, search files: by name, named like, ending in, extension, wildcard, filename
edit file, replace, patch: swap a word, change a line, find and replace, substitute, at the end of, append, insert a line, change the wording, add a line to, rephrase, spelling mistake, typo, correct a mistake, correct a word, wording
create directory, make directory: mkdir, new folder, place to put, new place, make a place, make room, new directory, a place for, empty folder, folder called, folder named
search files, find files, search: where did i put, where is my, cannot find, can not find, lost, name contains, whose name, called something like, hunt for a document, look for a document
move file, move: into the directory, drag into, put into another folder, other folder, another folder, archive folder, drag the, into the archive, elsewhere
multiple files, read multiple: several files, many files at once, a bunch of files, batch, several documents, many documents, in one go, all at once, documents together, three documents, these documents, a couple of files
media, image, audio: sound, song, music, recording

image, picture, screenshot, png: photo, pic, drawing, graphic, icon, artwork, visual, pictures, graphics, snap
screencast, record: film, film the, record the screen, movie of, video of
screenshot, capture, snapshot: picture of the page, picture of the screen, photo of the page, image of the page, screen grab, screengrab, capture the screen, looks like, look like, how the page looks, what is on the screen, print screen, see the page, visitor see, would see, can see on, how it looks, visible, appearance, what does the page show, proof of what, show me the page
pdf: portable document, paper, printable

git, repository: version control, source control, codebase, project history, repo, checkout
repository, repo, repositories: codebase, code base, project, source code, home for my code, online for my source
diff, changes, changed, git diff: what changed, modifications, modified, uncommitted, unstaged, not committed, edits i made, touched, delta, what did i change, what have i changed
commit, commits: save my work, check in, record changes, changeset, revision, snapshot of my work, changelog, store my changes
git log, commits, history: who changed, past changes, previous versions, what happened to the code, recent work, when was this added, since when, over time
git log, list commits, commits: what did the team do, what did everyone do, last week on the project, work of the team, done lately
git blame, blame, line: who wrote, author of, responsible for this line, whose code, to blame, since when, who put, who added, who touched, whose idea, responsible for this, responsible for, who broke, whose fault, last person to
git status, status, working tree: anything uncommitted, pending changes, dirty, untracked, state of my checkout, not checked in, not saved yet, what is pending, where do i stand, only local, still local, not pushed
branch, branches: line of development, fork off, separate line of work, feature line, line of development, separate line, try an idea
merge: combine, bring together, integrate, join, unite, fold into, land, two lines of, integrate it, accept the contribution, two histories, squash together, one history, into the main line, main line, bring into main, into production branch
rebase: replay, on top of, move my commits, onto the tip, tip of the main line, move my work onto, replay my commits
stash: set aside, put aside, shelve, put away for later, park my work, temporarily save, for later, unfinished work, finished work, not ready to commit, hide my changes, hide my edits, out of the way, temporarily away, do something else first
push: upload commits, upload my changes, send commits, publish commits, send my work, others see my commits, let the others see, share my commits, share my work
pull, fetch: get the newest code, bring my copy up to date, sync with remote, download commits, latest changes from the server, what the others did, newest code, others did, newest state, latest state, current state from the server, from the server
clone: get a copy of the repository, copy of the code, check out the project, download the repository
checkout, switch branch: go to another branch, change branch, jump to branch
reset, restore, revert, undo: go back, roll back, rollback, bring back, take back, throw away my changes, as it was, previous version, unstage, undo my, take it back, last commit back, back to how it was, back to how, how it was before, the way it was, this morning, yesterday state, earlier state
cherry pick: take a single commit, apply one commit, copy a commit
tag, release: version number, mark a version, milestone, label a release, labelled, labeled, label the version, named version
worktree: second working copy, parallel checkout, isolated copy, copy to experiment with, experiment
remote: upstream, origin, where it pushes
init, initialize: start tracking, begin a new repository, version control for a folder
add, stage: include in the next commit, index
clean, untracked: leftover files, unneeded files, not tracked, leftovers

issue, issues, bug, ticket: problem report, defect, bug report, complaint, something broken, report a problem, feature request, task, malfunction, complain about, does not work, doesn work, something wrong, request to the developers, tell the maintainers, let the maintainers know, ask the developers for
pull request, pull requests, pr: merge request, code review request, proposed change, proposal, contribution, mr, patch for review
review, pull request review: approve, feedback on code, look over the changes, sign off, comments on the changes, feedback on code, proposed code, proposed changes, someone else s code, look at the code of, look over my patch, look over my, before it goes in, second pair of eyes
comment, comments: reply, remark, respond, note under, discussion, answer, say something
pull request status, status, checks: checks pass, did the checks, is it green, tests pass, ci, build passed
pull request files, files: which files does it touch, files of the proposal
push files, push: several files online, put files online, commit several files, files in one commit
fork: own copy, my own version of the project
search code, code: where in the code, function definition, usage, used in the source, snippet, source mention, mention this, constant, across all, where is it used, bits of source
whoami, authenticated user: who is logged in, who am i, logged in as, signed in as, which account, my account, my identity
user, users: account, people, person, members, teammates, coworkers, colleagues, everyone on the team, somebody called, someone called, person named, belongs to, who belongs, account of
organization, organizations, team, teams, workspace: company, groups, org, which companies, firms
project, projects: initiative, board, workspaces
assign, assignee: give it to, hand over, responsible person
label, labels, category: categorize, classify

browser, navigate, page, url, website: web, site, open the site, go to, visit, surf, webpage, web page, homepage, address, link, surf, visit, go on, load the site
navigate back, back: previous page, return, one page back
click, press, element, button: push the button, tick, checkbox, tick the box, radio button, toggle, switch
type, fill, text, form, input: enter, write into, key in, fill in, fill out, complete a form, keyboard, put my name, sign up, log in, register on, my name and address, with my name and password, password on the page, my credentials
press key, key, keyboard: hit enter, keystroke, shortcut
hover, mouse: point at, cursor, move the pointer
drag, drop: pull over, move an element, pulling it, pull with the mouse, with the mouse, move on the page
select option, dropdown: pick from a list, choose from the menu, combo, drop down, choose an entry, choose from, menu, option of a list
dialog, alert, prompt: popup, pop up, confirmation box, message box, say yes, ok to the, accept the popup, dismiss, are you sure
tab, tabs, pages: windows, open pages, second window, other window, switch window
resize, viewport, window: screen size, make it bigger, make it smaller, phone size, dimensions, mobile
emulate, device: pretend to be a phone, slow connection, throttle, simulate, geolocation, dark mode, on a tablet, tablet, on a phone, on mobile, iphone, android, small screen
console, console messages: javascript errors, browser errors, errors on the page, warnings, logged by the page, output of the page, developer log, developer tools, site complains, errors in the browser, throw any errors, throw errors, throws errors, website errors, errors on the website
network, requests, network requests, http: api calls, traffic, what the page loads, xhr, ajax, loaded resources, calls over the wire, responses, requests failed, failed while loading, what was loaded, 404, pull in, page pulls in, scripts and styles, assets that the page loads, third party
evaluate, javascript, script: run js, code in the page, snippet in the browser, run a snippet, snippet inside, inside the site
performance, trace, lighthouse, insight: slow, speed, how fast, loading time, page speed, web vitals, lag, sluggish, bottleneck, profiling, audit, take long to load, loads slowly, loading slowly, how quickly, quickly, come up, fast enough, time to load, responsive, quick enough, slow on phones, optimise, optimize
lighthouse, audit, accessibility: search engines, seo, disabled people, rate the site, rate the page, score of the page, quality of the page
heap snapshot, memory: memory usage, memory leak, ram
accessibility, snapshot: screen reader, aria, a11y

scrape, extract, crawl: pull the text, get the contents of a site, content of a web page, read a web page, read the article, harvest, turn into markdown, take data off, pull out, name and price, products out of, text of an article, article behind, clean text, as markdown, site as text, save this site, plain text of, content behind, summarize, what this homepage says, what the site says, what it says, text on the site, says on the page, words of a page, words of a post, blog post, post behind, article text
crawl: all pages of a site, whole website, entire site, every page, follow the links, go through every page, every page of, page after page
map, urls, sitemap: all links, links on the site, which pages exist, list of addresses
web search, search web, news: on the internet, online, google, look it up, news, find on the web, current information, latest about, happening in the world, fresh news, any news, elections, this week, today in, who won, latest on, internet, on the net, anything about, is there anything about, read up on, look up on the web, what is written about
research, deep research: investigate a topic, thorough report, find out everything, gather information, in depth, study, report about, with sources, background on, in depth report
extract, structured: fields from a page, pull out data, parse
monitor, watch: keep an eye on, notify me when, tell me when, track changes, alert me when
papers, paper, research, search papers: scientific, publications, publication, studies, journal, academic, arxiv, literature
news, search: headlines, current events, what is going on

documentation, docs, library: manual, guide, how to use, reference, instructions, handbook, package, framework, api reference, learn about, tutorial, usage, help page, according to the authors, meant to be, supposed to be used, official, what does the function do, how to call, signature, parameters of, correct way to call, right way to use, library function, how is it used, best way to use
library, resolve library: package name, dependency, module, framework, module, npm, pip, crate
example, examples, demo: sample, how others do it, show me code, snippet, samples of
course, lesson: learn, teach me, tutorial, training, class, teach me how, step me through, beginner
blog, changelog: release notes, what is new, whats new, announcements, articles, what broke, newest version, new version, news of, what is different in
migration: upgrade guide, move to the new version, breaking changes
component, components, registry, registries: ui parts, widget, building blocks, interface pieces, ui kit, ui pieces, pieces of interface, ready made ui, buttons and dialogs

database, databases, db: data store, schema, storage engine, data stores, instance, instances
query, sql, select: ask the database, run a statement, statement, rows where, database question, raw query
table, tables: what is stored, relations, spreadsheets
collection, collections: table, set of documents
schema, collection schema, columns, describe table: fields, what columns, layout of the table, shape of the data, structure of the data, data types, attributes, what fields, which fields, field names, types of the fields, typical entry, typical record, look like in the database, what an entry looks like
insert, insert many, row, documents: put rows, new entry, new record, add a record, records, entry, load data
find, documents, query: matching records, entries where, filter, rows, look up records, records, which customers, who lives, whose, those with, the ones with, orders, customers, older than, younger than, larger than, more than, a few of, live in, lives in, living in
aggregate, aggregation, pipeline: group by, per category, averages, sum up, roll up, average the, per group, per category
index, indexes, create index: speed up lookups, make queries faster, faster lookups, lookups faster, faster, speed up
explain, query plan: why is this query slow, execution plan, how the query runs, take so long, why is it slow, slow query
update many, update: change all, change the field, of all customers, for everyone, mass change, give every, every client, for every customer, set for all
delete many, drop, remove: empty the table, wipe the data, all records, all entries that, all records that, everything older than, entries older
export: dump, to a json file, to csv, results to a file, save the results
list databases, databases: data stores, which databases, on this instance
drop database, drop collection: get rid of the whole database, destroy the data, whole thing, all the tables, everything in it
storage size, collection storage size, db stats, size: disk space, how much space, how much room, space used, take up, space taken, room on disk

knowledge graph, graph, entities, memory: remember, what do you know, facts, knowledge base, brain, long term, what you learned, recall, keep in mind, things you know, do you know about, have you stored, note for later, remember that, tell you about me, learn that, you have learned, you learned, learned so far, keep in mind, remember, for the future, what you know, never forget, memorise, memorize, favourite, my favourite, prefer, preference
search nodes, read graph, knowledge graph, memory: have i told you, told you about, what did i say about, what did i tell you, already know, people connected, how are they connected
read graph, search nodes, open nodes: link between, is there a link between, connection between, have to do with each other, relationship between
entity, entities, nodes: person, thing, concepts, subjects
observation, observations: fact, remark about, note about, learned about, detail about, correct a fact, wrong fact, fact about
relation, relations: connection between, relationship, how they are linked, related, knows, link between, associate, people connected, how are they connected, how do they know each other, belong together, brother of, sister of, friend of, works at, works for, married to, belongs to, is the boss of, lives with

thinking, sequential thinking, thought: reason, step by step, think through, work through, ponder, brainstorm, chain of thought, solve a hard problem, break down a problem, carefully, hard question, think hard, reason before, difficult question

time, date, get time, clock: what time, hour, now, today, o clock, current day
echo, say, repeat: say back, mirror my words, after me
sum, add, numbers, calculate: plus, math, arithmetic, sum up, addition, calculation, add up two, how much is, minus, times
environment, env: variables, environment variables
hello, greeting: greet, welcome, say hi

process, processes, sessions: task, running programs, what is running, program, application, jobs, eating cpu, cpu hog, programs, running programs, programs running, which programs, apps running, task manager, running on, background jobs, eating my cpu, on this laptop, on this machine, laptop, hogs, processor, hogs the processor, the task that
command, terminal, shell, execute, process: bash, command line, console, cmd, run a program, script
output, read process output: result of the program, what it printed, what did it print, did the program print, what the program said
interact, input: talk to, type into the program, answer the program, waits for an answer, waits for input, reply to the program
system, usage, resource: cpu, memory, load, hardware
config, configuration: settings

chart, graph, plot, diagram, visualization: visualize, draw, graphic, figure, visual, infographic, illustrate, as a picture, picture of the numbers, from these numbers, from my data
pie chart, proportion, share: percentages, slices, parts of a whole, market share, breakdown, distribution of, share of each, shares, composition, what part, fraction
bar chart, column chart: bars, compare categories, ranking, horizontal bars, turnover, compare stores, side by side, per country, per product, largest to smallest
line chart, area chart, trend: over time, development, timeline, growth, curve, rising, falling, months, last week, per day, per month, by year, temperature, course of, evolution, progression, time series, went up, went down, timeline of, visits, by day, by month, curve, stock price, since january, share price, over the years, over the last
scatter chart, correlation: relationship between two variables, dots, points, two variables, depend on each other, two measurements, relationship of, against, height against weight, x against y, plotted against
histogram, boxplot, violin, distribution: spread, frequency, quartiles, outliers, spread of, median, ranges, variation, spread over, how is it spread, income, ages, population
radar chart: spider, several dimensions, strengths and weaknesses, spider web, dimensions, compare two players, skills
funnel chart, conversion: drop off, stages, sales stages, sign up steps, drop out, each step, each stage, checkout, purchase steps, sign up, give up, visitors give up, way to the checkout, abandon, lose customers
sankey chart, flow: where the money goes, from source to target, energy flows, where it goes, goes where, comes from, inflow, outflow, in and out
treemap, hierarchical: nested rectangles, share of disk, boxes inside boxes
word cloud, word frequency: most used words, tag cloud, common terms, frequent terms, frequent words, words by frequency, frequent, terms, keywords by size
mind map, ideas: brainstorm, topics branching, organize thoughts
flow diagram, flowchart, process: steps, decision diagram, workflow picture, procedure, steps of a procedure, decisions, yes or no
fishbone diagram, cause: root cause, reasons, ishikawa, why something happens, reasons for, like bones, bones of a fish, why it went wrong
organization chart: who reports to whom, hierarchy of employees, company structure, org chart, reporting lines, departments, from the boss down, boss, who is the boss, chain of command, teams and their heads, hierarchy of departments
network graph, nodes, edges: relations between people, connections, social network
venn chart, overlap: intersection, sets, in common, in common, circles, what they share, shared by
liquid chart, percentage, progress: one ratio, fill level, tank
dual axes chart: two scales, two measures, combined bars and line
waterfall chart: gains and losses, cumulative effect
map, geographic, path map, pin map, district map, route: places, cities, on the globe, itinerary, travel, locations, trip, points of interest, regions, countries, provinces, from city to city, trip from, stops, pins, offices, stores on a map, markers, where our
spreadsheet, table, pivot: rows and columns, excel, grid

page, pages: note, document, wiki, article, entry, wiki entry, notes page, memo
block, blocks, children: paragraph, section, content of a page, bullet, append text
data source, database: table
property: field, attribute
workspace: space

kubernetes, cluster, k8s: containers
pod, pods: container, containers, instances, throwaway container, start a container, workloads, restart, restart the container
pods log, logs: output of the container, why did it crash, printed, what does it say, keeps restarting, restarting, its last words, crash loop, going on inside the container, inside the container
namespace, namespaces: environment, tenant, tenants, environments
deployment, resources, resource: workload, manifest, object, yaml, what is deployed, is deployed, deployed, running version
scale, replicas, resources scale: more instances, more copies, capacity, bigger, smaller, number of copies, how many copies, add capacity, double the number, number of instances, twice as many, halve the number, more instances of
node, nodes: machine, server, host, worker
events, event: what happened, warnings
events, event, warnings: went wrong, anything odd, unusual
top, usage, metrics: cpu, memory, resource hungry, consumption, resource usage, how much memory, hungry, ram, most memory, most cpu, eats, overloaded, under pressure, at its limits, how busy, load of the machines
helm, chart: package, release
install, helm install: deploy
uninstall, helm uninstall: undeploy
exec, execute: shell in the container, inside the container, command inside
kubeconfig, configuration view, contexts: which cluster, credentials
apply, create or update, deploy: roll out, ship, put live, bring live, running version, with this yaml, yaml, from this file, replace the running

azure, cloud: microsoft, hosting
subscription, subscriptions: billing account
resource group, group: bundle of resources
storage, blob, container: bucket, object storage, files in the cloud, cloud storage, drop my files, keep files in the cloud, backup, backups
key vault, secret, secrets, certificate, key: password, credentials, token, api key, safe place, encryption, ssl, confidential, store password, keep a password, safely, credential, api tokens, tokens, passwords, private, hide a password, hide credentials, credentials, safe place for
virtual machine, vm, compute: server, instance, machine, machine size, rent a server, virtual server, box
app service, function app, functions: hosting a site, web app, serverless, lambda, code without servers, without a server, without servers, code on demand, host my site, put my site online
cosmos, nosql: document database
redis, cache: in memory
service bus, event hubs, event grid, queue, topic: messaging, message broker, pub sub, messages, streaming, between services, pass messages
monitor, metrics, logs, application insights, workbooks, dashboard: telemetry, observability, charts of usage, dashboards
cost, pricing, quota, price: spend, bill, expensive, cheap, budget, how much does it cost, limits, money, bill, monthly, invoice, cost me, per month, how expensive, what will it cost, going to cost, going to be expensive
role, rbac, authorization: access rights, who may, permission, allowed to, who may do what, who can do what, who is allowed
load testing, test: stress, many users at once, simulate traffic, load test
advisor, recommendations, best practices: advice, tips, guidance, suggestions, recommend, how should i, good way
architecture, cloud architect, design: plan the system, blueprint, blueprint for, sketch a system
terraform, bicep, deploy, template: infrastructure as code, iac, provisioning
aks, container registry, acr: docker images, registry of images
postgres, mysql, sql: relational database
search, index: full text, look inside my documents
speech, transcribe: voice, spoken, audio to text, dictation
communication, email, sms: text message, send a message
ai, foundry, models, openai: language model, llm, gpt, machine learning
policy, compliance: rules, governance
resource health, health: outage, down, unavailable, incident, is it down, is azure down, service down

error, errors, exception, issue, issues: crash, failure, bug, stack trace, broken, production problem, failing, crashed, something went wrong, fault, running into, in production, users hit, users see, what breaks, incidents, crashes, failing for users, customers see, tonight, last night, production complain, what went wrong in production
event, events: occurrence, sample
trace, span, performance: slow request, latency, distributed
replay, session: what the user did, recording of the session, visitor, visitor did, what the visitor, what people did, clicks of the user, screen recording of the user, how did they get there
release, releases: version, deployed version, ship, when did we ship, shipped
root cause, seer, analyze: why does it happen, how do i fix, reason for the crash, solution, ai fix, what causes, find out why, why it crashed, why did it crash
dsn, client key: connect my app, key for the sdk, send its crashes, report its errors, app needs to send
attachment: file of the event
alert, alerts, monitor: alarm, notification, warning

design, figma, layout: mockup, ui, wireframe, prototype, designer, look and feel, colours, colors, spacing, designer, draft, fonts, paddings, sketches
download, images, assets, icons, svg: graphics, pictures from the design, logos, from the mockup, from the design, export the icons, graphics from

lint, eslint, rules: code style, code quality, style errors, formatting, static analysis, mistakes in my code, clean code, style problems, style, code smells, unused variables, semicolons, typescript problems, javascript problems

workflow, workflows, automation: automate, automatically, pipeline, zap, process, chain of steps, my automation, set up wrongly
node, nodes, template: step, integration, building block
template, templates: ready made, example, starter, blueprint
execution, executions: past runs, run history, runs of

email, mail, message: inbox, letter, write to, gmail, outlook, tell by mail, drop a line
calendar, event, meeting, schedule: appointment, reminder, agenda, free slot, book a time, invite
chat, message, channel, slack: ping, dm, direct message, tell the team, conversation
contact, contacts: phone number, address book
payment, invoice, charge, customer, refund: pay, money back, card
weather, forecast: rain, temperature, sunny, degrees
translate, translation: in another language
location, maps, directions, geocode: route, how to get, nearby, distance
file system, filesystem: disk, drive, local files
test, tests: try out, quality
feedback: opinion, complain, tell the makers
resource, resources, reference: link, attachment
prompt, prompts: canned question, ready made text
sampling, llm: ask the model, language model
elicitation, user input: ask me, ask the user, question to the user
annotated, annotation: marks, highlight, underline, comments on the pdf
progress, long running, operation: takes a while, slow task
compress, gzip, zip: make smaller, squeeze
summary, summarize: short version, tldr, gist, in a few words, key points
video, screencast: movie, film, record the screen, clip
cookies, storage, local storage: session data, logged in state
security, vulnerability, audit: hacked, safe, exploit, cve
extension, extensions, plugin: add on, addon
allowed directories: which folders may, where am i allowed, access to
mcp, server: integration, tool
`
