/**
 * What people and models ask for, and the tools that are right. A line is a request, `->`, and the right tools as `server/tool`:
 * one of those between `|` is enough, all of those between `&` are wanted. In the last kind no tool is right.
 */

export const kinds = {
  keywords: `
read file -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
write file -> filesystem/write_file | desktop/write_file | github/create_or_update_file
list directory -> filesystem/list_directory | filesystem/list_directory_with_sizes | desktop/list_directory | filesystem/directory_tree
create pull request -> github/create_pull_request
merge pull request -> github/merge_pull_request
take screenshot -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
pie chart -> chart/generate_pie_chart
git blame -> git/git_blame
cherry pick -> git/git_cherry_pick
stash changes -> git/git_stash
kill process -> desktop/kill_process | desktop/force_terminate
pod logs -> kubernetes/pods_log
scale deployment -> kubernetes/resources_scale
list namespaces -> kubernetes/namespaces_list
mongodb aggregation pipeline -> mongodb/aggregate | mongodb/aggregate-db
drop collection -> mongodb/drop-collection
collection schema -> mongodb/collection-schema
word cloud -> chart/generate_word_cloud_chart
mind map -> chart/generate_mind_map
sankey diagram -> chart/generate_sankey_chart
web search -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
crawl website -> tavily/tavily_crawl | firecrawl/firecrawl_crawl
key vault secrets -> azure/keyvault
heap snapshot -> chrome-devtools/take_heapsnapshot
network requests -> playwright/browser_network_requests | chrome-devtools/list_network_requests
console messages -> playwright/browser_console_messages | chrome-devtools/list_console_messages
fill form -> playwright/browser_fill_form | chrome-devtools/fill_form
upload file browser -> playwright/browser_file_upload | chrome-devtools/upload_file
knowledge graph entities -> memory/create_entities | memory/read_graph | memory/search_nodes | memory/open_nodes
get time -> clock/get-time
lint files -> eslint/lint-files
lighthouse audit -> chrome-devtools/lighthouse_audit
sentry create project -> sentry/create_project
validate workflow -> n8n/validate_workflow
node metrics cpu memory -> kubernetes/nodes_top | kubernetes/nodes_stats_summary
sql query -> postgres/query | azure/sql | azure/postgres | azure/mysql
gzip file -> everything/gzip-file-as-resource
environment variables -> everything/get-env
research papers -> firecrawl/firecrawl_research_search_papers | firecrawl/firecrawl_research_inspect_paper | firecrawl/firecrawl_research_read_paper | firecrawl/firecrawl_research_related_papers
create index -> mongodb/create-index
`,
  sentences: `
I want to rename a file in the project folder -> filesystem/move_file | desktop/move_file
Please read the contents of several files at once -> filesystem/read_multiple_files | desktop/read_multiple_files
Can you show me the directory tree of the src folder? -> filesystem/directory_tree | desktop/list_directory
Find the files whose name matches a pattern -> filesystem/search_files | desktop/start_search
Open a new issue in the repository about the login bug -> github/create_issue
Add a comment to issue 42 -> github/add_issue_comment
What are the open pull requests of this repository? -> github/list_pull_requests
Search for code that calls this function on GitHub -> github/search_code
Create a new branch from main -> github/create_branch | git/git_branch | git/git_checkout
Fork the repository into my account -> github/fork_repository
Show the commit history of the current branch -> git/git_log | github/list_commits | git/git_reflog
Show the differences between two commits -> git/git_diff | git/git_show
Navigate the browser to a URL -> playwright/browser_navigate | chrome-devtools/navigate_page | chrome-devtools/new_page
Click on the submit button of the page -> playwright/browser_click | chrome-devtools/click
Wait until the text appears on the page -> playwright/browser_wait_for | chrome-devtools/wait_for
Execute JavaScript in the page -> playwright/browser_evaluate | chrome-devtools/evaluate_script | playwright/browser_run_code_unsafe
Press the Enter key -> playwright/browser_press_key | chrome-devtools/press_key
Record a performance trace of the page -> chrome-devtools/performance_start_trace
Emulate a slow network and a mobile viewport -> chrome-devtools/emulate
Count the documents in a collection -> mongodb/count
Insert documents into the users collection -> mongodb/insert-many
List all databases of the MongoDB connection -> mongodb/list-databases
Which indexes does this collection have? -> mongodb/collection-indexes
Explain how the query would be executed -> mongodb/explain
Draw a line chart of the monthly revenue -> chart/generate_line_chart
Make a histogram of the ages -> chart/generate_histogram_chart
Generate an organization chart of the company -> chart/generate_organization_chart
Execute a command inside a pod -> kubernetes/pods_exec
Delete a pod in the default namespace -> kubernetes/pods_delete
List all the events in the cluster -> kubernetes/events_list
Extract the content of this URL as text -> tavily/tavily_extract | firecrawl/firecrawl_scrape | exa/web_fetch_exa | firecrawl/firecrawl_extract
Look up the documentation of a library -> context7/query-docs | context7/resolve-library-id
Delete these entities and their relations from the knowledge graph -> memory/delete_entities
Add new observations to an existing entity -> memory/add_observations
Retrieve the comments of a Notion page -> notion/API-retrieve-a-comment
Search for issues in Sentry with a given error -> sentry/search_issues | sentry/search_issue_events
Which organizations do I have access to? -> sentry/find_organizations
Download the images used in a Figma file -> figma/download_figma_images
List the Azure subscriptions -> azure/subscription_list
Run a load test in Azure -> azure/loadtesting
Start a process and run a terminal command -> desktop/start_process
Validate the configuration of an n8n node -> n8n/validate_node
Search templates for a workflow -> n8n/search_templates | n8n/get_template
Find components in the registries -> shadcn/search_items_in_registries | shadcn/list_items_in_registries
`,
  named: `
notion: create a page -> notion/API-post-page
update a Notion page -> notion/API-patch-page | notion/API-update-page-markdown
notion search -> notion/API-post-search
query a notion database -> notion/API-query-data-source
who am I in Sentry -> sentry/whoami
list sentry teams -> sentry/find_teams
have Sentry's Seer analyze the issue -> sentry/analyze_issue_with_seer
sentry releases -> sentry/find_releases
github search users -> github/search_users
github list commits -> github/list_commits
get a file from github -> github/get_file_contents
playwright type text -> playwright/browser_type
playwright hover -> playwright/browser_hover
chrome devtools new page -> chrome-devtools/new_page
chrome devtools css styles -> chrome-devtools/get_css_styles
firecrawl crawl status -> firecrawl/firecrawl_check_crawl_status
scrape with firecrawl -> firecrawl/firecrawl_scrape
firecrawl monitors list -> firecrawl/firecrawl_monitor_list
tavily search -> tavily/tavily_search
exa web search -> exa/web_search_exa
use context7 for the docs of react -> context7/query-docs | context7/resolve-library-id
figma design data -> figma/get_figma_data
azure storage accounts -> azure/storage
azure kubernetes service -> azure/aks
azure cosmos db -> azure/cosmos
mongodb find -> mongodb/find
mongodb delete documents -> mongodb/delete-many
export from mongodb -> mongodb/export
kubernetes list pods -> kubernetes/pods_list | kubernetes/pods_list_in_namespace
desktop commander config -> desktop/get_config | desktop/set_config_value
desktop commander list processes -> desktop/list_processes
mastra docs -> mastra/mastraDocs
mastra code examples -> mastra/mastraExamples
shadcn add command -> shadcn/get_add_command_for_items
n8n templates -> n8n/search_templates | n8n/get_template
eslint -> eslint/lint-files
postgres query -> postgres/query | azure/postgres
git push to the remote -> git/git_push
memory: search nodes -> memory/search_nodes
list the pdf files -> pdf/list_pdfs
`,
  several: `
take a screenshot of the page and list its console messages -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot & playwright/browser_console_messages | chrome-devtools/list_console_messages
create a branch and open a pull request -> github/create_branch | git/git_branch & github/create_pull_request
stage the files and commit them -> git/git_add & git/git_commit
list the issues and update one -> github/list_issues & github/update_issue
bar chart and pie chart -> chart/generate_bar_chart & chart/generate_pie_chart
add entities and relations to the knowledge graph -> memory/create_entities & memory/create_relations
scrape or crawl with firecrawl -> firecrawl/firecrawl_scrape & firecrawl/firecrawl_crawl
tavily search and extract -> tavily/tavily_search & tavily/tavily_extract
start and stop the screencast -> chrome-devtools/screencast_start & chrome-devtools/screencast_stop
git push and git pull -> git/git_push & git/git_pull
list collections and databases in mongodb -> mongodb/list-collections & mongodb/list-databases
create an index and drop an index -> mongodb/create-index & mongodb/drop-index
pods list and pods logs -> kubernetes/pods_list | kubernetes/pods_list_in_namespace & kubernetes/pods_log
create and delete kubernetes resources -> kubernetes/resources_create_or_update & kubernetes/resources_delete
read and write files -> filesystem/read_file | filesystem/read_text_file | desktop/read_file | filesystem/read_multiple_files & filesystem/write_file | desktop/write_file
find sentry projects and teams -> sentry/find_projects & sentry/find_teams
update and delete a notion block -> notion/API-update-a-block & notion/API-delete-a-block
create a comment and retrieve a comment in Notion -> notion/API-create-a-comment & notion/API-retrieve-a-comment
area chart or line chart -> chart/generate_area_chart & chart/generate_line_chart
pull request reviews and comments -> github/get_pull_request_reviews | github/create_pull_request_review & github/get_pull_request_comments
get and set the desktop commander configuration -> desktop/get_config & desktop/set_config_value
boxplot and violin plot -> chart/generate_boxplot_chart & chart/generate_violin_chart
validate an n8n node and a workflow -> n8n/validate_node & n8n/validate_workflow
azure redis and azure cosmos -> azure/redis & azure/cosmos
`,
  typos: `
take screnshot -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
craete pull requst -> github/create_pull_request
reed fiel contents -> filesystem/read_file | filesystem/read_text_file | desktop/read_file | github/get_file_contents
list directroy -> filesystem/list_directory | filesystem/list_directory_with_sizes | desktop/list_directory
serach repositories -> github/search_repositories
kubernets pods -> kubernetes/pods_list | kubernetes/pods_get | kubernetes/pods_list_in_namespace | kubernetes/pods_top
histgram -> chart/generate_histogram_chart
agregate pipeline -> mongodb/aggregate | mongodb/aggregate-db
comit changes -> git/git_commit
git rebsae -> git/git_rebase
knowlege graph -> memory/read_graph | memory/search_nodes | memory/create_entities | memory/open_nodes
naviagte browser -> playwright/browser_navigate | chrome-devtools/navigate_page | playwright/browser_navigate_back
organisation chart -> chart/generate_organization_chart
validte workflow -> n8n/validate_workflow
databse list -> mongodb/list-databases
chery pick -> git/git_cherry_pick
documentaion for a libary -> context7/query-docs | context7/resolve-library-id
lighthose audit -> chrome-devtools/lighthouse_audit
namespases in the cluster -> kubernetes/namespaces_list
enviroment variables -> everything/get-env
crwal a website -> tavily/tavily_crawl | firecrawl/firecrawl_crawl
subscriptons in azure -> azure/subscription_list
wordcloud -> chart/generate_word_cloud_chart
perfomance trace -> chrome-devtools/performance_start_trace | chrome-devtools/performance_stop_trace | chrome-devtools/performance_analyze_insight
delte branch -> git/git_branch
emtities -> memory/create_entities | memory/delete_entities | memory/search_nodes | memory/read_graph
terminate proces -> desktop/force_terminate | desktop/kill_process
notoin page -> notion/API-post-page | notion/API-retrieve-a-page | notion/API-patch-page | notion/API-move-page | notion/API-retrieve-page-markdown | notion/API-update-page-markdown | notion/API-retrieve-a-page-property
`,
  paraphrases: `
what changed in my codebase since yesterday -> git/git_diff | git/git_status | git/git_log | github/list_commits
who wrote this line -> git/git_blame
put my half-finished work aside for later -> git/git_stash
throw away my local edits and go back to the last good version -> git/git_reset | git/git_checkout | git/git_clean
get me a copy of somebody's project onto my machine -> git/git_clone | github/fork_repository
give this version a name -> git/git_tag
anything I have not checked in yet? -> git/git_status | git/git_diff
take over one single change from another line of development -> git/git_cherry_pick
make my own copy of somebody else's project -> github/fork_repository | git/git_clone
report a defect -> github/create_issue
propose my changes to the maintainers -> github/create_pull_request
what are people on this project complaining about -> github/list_issues | github/search_issues | sentry/search_issues
give feedback on somebody's proposed code -> github/create_pull_request_review | github/add_issue_comment
what is in this folder -> filesystem/list_directory | filesystem/directory_tree | desktop/list_directory | filesystem/list_directory_with_sizes
how big is this document and when was it last touched -> filesystem/get_file_info | desktop/get_file_info
make a new place to put my documents -> filesystem/create_directory | desktop/create_directory
swap one word for another in a document -> filesystem/edit_file | desktop/edit_block
which places may you touch -> filesystem/list_allowed_directories
give this document a different name -> filesystem/move_file | desktop/move_file
keep in mind that Anna works at Siemens -> memory/create_entities | memory/add_observations | memory/create_relations
what do you remember about Anna -> memory/search_nodes | memory/read_graph | memory/open_nodes
forget everything about Bob -> memory/delete_entities | memory/delete_observations
how are these two people connected -> memory/read_graph | memory/search_nodes | memory/open_nodes
let me see what the site looks like -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot | playwright/browser_snapshot | chrome-devtools/take_snapshot
go to the previous site -> playwright/browser_navigate_back | chrome-devtools/navigate_page
dismiss the popup -> playwright/browser_handle_dialog | chrome-devtools/handle_dialog
which API calls does the site make -> playwright/browser_network_requests | chrome-devtools/list_network_requests
why does the site load so slowly -> chrome-devtools/performance_start_trace | chrome-devtools/performance_analyze_insight | chrome-devtools/lighthouse_audit
pretend to be a phone -> chrome-devtools/emulate | playwright/browser_resize | chrome-devtools/resize_page
does the app leak RAM -> chrome-devtools/take_heapsnapshot
film what happens in the window -> chrome-devtools/screencast_start
visualize market share as slices -> chart/generate_pie_chart
show the trend of sales over the months -> chart/generate_line_chart | chart/generate_area_chart
who reports to whom in the firm -> chart/generate_organization_chart
show where the money comes from and where it goes -> chart/generate_sankey_chart | chart/generate_waterfall_chart
find the root cause and picture it -> chart/generate_fishbone_diagram | sentry/analyze_issue_with_seer
show these cities on the globe -> chart/generate_pin_map | chart/generate_path_map | chart/generate_district_map
how many people drop out at each step of the purchase -> chart/generate_funnel_chart
spin up more copies of my service -> kubernetes/resources_scale
why did my container crash, show what it printed -> kubernetes/pods_log
which machines eat the most CPU -> kubernetes/nodes_top | kubernetes/pods_top | kubernetes/nodes_stats_summary
roll out this manifest -> kubernetes/resources_create_or_update
open a shell in the running container -> kubernetes/pods_exec
how many records are there -> mongodb/count
put these rows into the table -> mongodb/insert-many
get rid of the whole table -> mongodb/drop-collection
make lookups faster -> mongodb/create-index
what fields does the data have -> mongodb/collection-schema
how much disk space does the data take -> mongodb/collection-storage-size | mongodb/db-stats
what is new on the internet about fusion energy -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search | tavily/tavily_research
get the article behind this link in readable form -> firecrawl/firecrawl_scrape | tavily/tavily_extract | exa/web_fetch_exa | firecrawl/firecrawl_parse
tell me when this site changes -> firecrawl/firecrawl_monitor_create
all links that belong to a domain -> firecrawl/firecrawl_map | tavily/tavily_map
how do I use this package, is there a manual -> context7/query-docs | context7/resolve-library-id
store a password safely -> azure/keyvault
how much will that cost me in the cloud -> azure/pricing
which crashes did our customers see lately -> sentry/search_issues | sentry/search_events | sentry/search_issue_events
who is logged in -> sentry/whoami | notion/API-get-self
watch what the visitor did before the crash -> sentry/get_replay_details
check my code for style mistakes -> eslint/lint-files
which programs are running on my computer -> desktop/list_processes | desktop/list_sessions
force quit a program that hangs -> desktop/kill_process | desktop/force_terminate
reason carefully before answering a hard question -> thinking/sequentialthinking
is it late already, what hour is it -> clock/get-time
ready-made automations -> n8n/search_templates | n8n/get_template
jot down a paragraph under my meeting minutes -> notion/API-patch-block-children | notion/API-post-page | notion/API-update-page-markdown
ready-made ui pieces -> shadcn/search_items_in_registries | shadcn/list_items_in_registries | shadcn/view_items_in_registries
turn the mockup into code -> figma/get_figma_data
undo my last commit but keep the edits -> git/git_reset
send my work to the server so that others have it -> git/git_push
bring my copy up to date with what the others did -> git/git_pull | git/git_fetch
combine two lines of development -> git/git_merge | git/git_rebase
try an idea on a separate line of development -> git/git_branch | git/git_checkout | git/git_worktree | github/create_branch
put a folder under version control -> git/git_init
throw out leftovers that are not tracked -> git/git_clean
accept the contribution and integrate it -> github/merge_pull_request
answer in the discussion below a ticket -> github/add_issue_comment
where on the platform is somebody called octocat -> github/search_users
start a fresh project online for my source -> github/create_repository
save some words to disk -> filesystem/write_file | desktop/write_file
open several documents in one go -> filesystem/read_multiple_files | desktop/read_multiple_files
where did I put the tax spreadsheet -> filesystem/search_files | desktop/start_search
look at a photo on my disk -> filesystem/read_media_file
outline of everything below this folder, nested -> filesystem/directory_tree
put something into the basket by pulling it with the mouse -> playwright/browser_drag | chrome-devtools/drag
sign up on the site with my name and address -> playwright/browser_fill_form | chrome-devtools/fill_form
choose an entry of a drop-down menu -> playwright/browser_select_option
what does the site complain about in its developer log -> playwright/browser_console_messages | chrome-devtools/list_console_messages
run a snippet inside the site -> playwright/browser_evaluate | chrome-devtools/evaluate_script | playwright/browser_run_code_unsafe
make the window smaller -> playwright/browser_resize | chrome-devtools/resize_page
attach my CV on the application site -> playwright/browser_file_upload | chrome-devtools/upload_file
hold on until the spinner is gone -> playwright/browser_wait_for | chrome-devtools/wait_for
rate how good the site is for search engines and disabled people -> chrome-devtools/lighthouse_audit
how do two measurements depend on each other -> chart/generate_scatter_chart
spread of the salaries with the outliers -> chart/generate_boxplot_chart | chart/generate_violin_chart | chart/generate_histogram_chart
strengths of two players in several dimensions -> chart/generate_radar_chart
what do these groups have in common, as circles -> chart/generate_venn_chart
brainstorm topics branching from one idea -> chart/generate_mind_map
most frequent terms, bigger when more frequent -> chart/generate_word_cloud_chart
steps of a procedure with decisions -> chart/generate_flow_diagram
itinerary from Rome to Naples -> chart/generate_path_map
gather documents per category and average the price -> mongodb/aggregate | mongodb/aggregate-db
change the email of all customers from Berlin -> mongodb/update-many
which customers live in Berlin -> mongodb/find
why does this lookup take so long -> mongodb/explain
save the results of a lookup to a JSON dump -> mongodb/export
how many replicas, make it five -> kubernetes/resources_scale
what went wrong lately in the cluster, warnings and such -> kubernetes/events_list
start a throwaway container from an image -> kubernetes/pods_run
which tenants or environments exist in the cluster -> kubernetes/namespaces_list | kubernetes/projects_list
which container is hungry for RAM -> kubernetes/pods_top
talk to a program that waits for an answer -> desktop/interact_with_process
what did the program print -> desktop/read_process_output
a thorough report about solar panels with sources -> tavily/tavily_research | firecrawl/firecrawl_agent
go through every page of a company's site -> tavily/tavily_crawl | firecrawl/firecrawl_crawl
scientific publications about transformers -> firecrawl/firecrawl_research_search_papers
pull name and price of each product out of a shop as JSON -> firecrawl/firecrawl_extract | firecrawl/firecrawl_scrape | firecrawl/firecrawl_agent
teach me how to use the framework, lesson by lesson -> mastra/startMastraCourse | mastra/startMastraCourseLesson | mastra/nextMastraCourseStep
what broke in the newest version of the framework -> mastra/mastraChanges
how do I get the button into my app, which line do I type -> shadcn/get_add_command_for_items
which step of my automation is set up wrongly -> n8n/validate_workflow | n8n/validate_node
mark the crash as solved -> sentry/update_issue
key that my app needs to send its crashes -> sentry/create_dsn | sentry/find_dsns
let the AI find out why it crashed -> sentry/analyze_issue_with_seer
who belongs to our workspace -> notion/API-get-users
make an entry with title and text in my wiki -> notion/API-post-page
throw a paragraph out of my notes -> notion/API-delete-a-block
graphics from the mockup onto my disk -> figma/download_figma_images
pack a document to make it smaller -> everything/gzip-file-as-resource
three plus four -> everything/get-sum | hello/add
repeat after me -> everything/echo | hello/echo
messages between services in a queue -> azure/servicebus | azure/eventhubs | azure/eventgrid
code that runs without a server of my own -> azure/functionapp | azure/functions
draft a blueprint for my system in the cloud -> azure/cloudarchitect | azure/wellarchitectedframework
who may do what in my subscription -> azure/role | azure/policy
`,
  languages: `
Datei lesen -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
zeige mir alle Dateien im Ordner -> filesystem/list_directory | filesystem/list_directory_with_sizes | desktop/list_directory | filesystem/directory_tree | filesystem/search_files | desktop/start_search
erstelle einen neuen Branch -> github/create_branch | git/git_branch
Bildschirmfoto der Seite machen -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
Kreisdiagramm zeichnen -> chart/generate_pie_chart
lösche die Sammlung in der Datenbank -> mongodb/drop-collection | mongodb/delete-many
Protokolle des Pods anzeigen -> kubernetes/pods_log
im Internet suchen -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
wie spät ist es -> clock/get-time
lire un fichier -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
créer un dossier -> filesystem/create_directory | desktop/create_directory
supprimer les entités du graphe -> memory/delete_entities
rechercher des dépôts sur GitHub -> github/search_repositories
prendre une capture d'écran -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
remplir le formulaire -> playwright/browser_fill_form | chrome-devtools/fill_form
liste les processus en cours -> desktop/list_processes
leer el archivo -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
crear una incidencia en GitHub -> github/create_issue
busca en la web -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
gráfico de barras -> chart/generate_bar_chart | chart/generate_column_chart
mostrar los cambios del repositorio -> git/git_diff | git/git_status | git/git_log | git/git_show
ejecutar una consulta SQL -> postgres/query | azure/sql | azure/postgres | azure/mysql
cercare file per nome -> filesystem/search_files | desktop/start_search
apri una pagina nel browser -> playwright/browser_navigate | chrome-devtools/new_page | chrome-devtools/navigate_page | playwright/browser_tabs
scrivere un file -> filesystem/write_file | desktop/write_file
criar um gráfico de linhas -> chart/generate_line_chart
listar os bancos de dados -> mongodb/list-databases
apagar o pod -> kubernetes/pods_delete
bestand schrijven -> filesystem/write_file | desktop/write_file
zoek in de documentatie van een bibliotheek -> context7/query-docs | context7/resolve-library-id
przeczytaj plik -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
utwórz nowy katalog -> filesystem/create_directory | desktop/create_directory
прочитать файл -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
ファイルを読む -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
スクリーンショットを撮る -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
円グラフを作成 -> chart/generate_pie_chart
ウェブを検索 -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
创建一个拉取请求 -> github/create_pull_request
列出目录中的文件 -> filesystem/list_directory | filesystem/list_directory_with_sizes | desktop/list_directory | filesystem/directory_tree
查看容器日志 -> kubernetes/pods_log
现在几点 -> clock/get-time
删除数据库 -> mongodb/drop-database
파일 읽기 -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
데이터베이스 목록 -> mongodb/list-databases
welche Prozesse laufen gerade -> desktop/list_processes | desktop/list_sessions
Webseite öffnen und auf den Knopf klicken -> playwright/browser_click | chrome-devtools/click | playwright/browser_navigate | chrome-devtools/navigate_page
Tabelle der Datenbank abfragen -> postgres/query | mongodb/find | azure/sql | azure/postgres | azure/mysql | mongodb/aggregate | notion/API-query-data-source
neues Ticket im Repository anlegen -> github/create_issue
déplacer le fichier dans un autre répertoire -> filesystem/move_file | desktop/move_file
dessiner un diagramme en barres -> chart/generate_bar_chart | chart/generate_column_chart
quelle heure est-il -> clock/get-time
mots les plus fréquents en nuage -> chart/generate_word_cloud_chart
buscar en la documentación de la librería -> context7/query-docs | context7/resolve-library-id
tomar una captura de pantalla -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
eliminar el espacio de nombres del clúster -> kubernetes/resources_delete
mostra i log del pod -> kubernetes/pods_log
cancella tutte le relazioni dal grafo -> memory/delete_relations
escrever no arquivo -> filesystem/write_file | desktop/write_file
maak een nieuwe map aan -> filesystem/create_directory | desktop/create_directory
narysuj wykres kołowy -> chart/generate_pie_chart
найти в интернете -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
リポジトリの変更を表示 -> git/git_diff | git/git_status | git/git_log | git/git_show
ボタンをクリック -> playwright/browser_click | chrome-devtools/click
比较两个提交 -> git/git_diff
在浏览器中打开网页 -> playwright/browser_navigate | chrome-devtools/new_page | chrome-devtools/navigate_page | playwright/browser_tabs
막대 차트 그리기 -> chart/generate_bar_chart | chart/generate_column_chart
`,
  none: `
order a pepperoni pizza
book a flight to Lisbon
play some jazz in the living room
turn off the kitchen lights
what rhymes with orange
water the plants on the balcony
call my grandmother
recommend a good novel
make me a sandwich
hire a plumber for Tuesday
tune my guitar
feed the cat
reserve a table for two at the Italian place
how tall is Mount Everest
mow the lawn
unlock the car doors
pay my electricity bill
knit a scarf
asdf qwer zxcv
translate a poem into Latin
schedule a dentist appointment
set an alarm for six in the morning
who won the cup final
preheat the oven
transfer 50 euros to Peter
bake a chocolate cake
lower the blinds in the bedroom
rent a bicycle near the station
sing me a lullaby
iron my shirts
how do I tie a bow tie
pick up the kids from school
is my passport still valid
brew a cup of tea
find a babysitter for Saturday
what is the capital of Mongolia
polish the silver
recommend a restaurant in Vienna
do push-ups
wrap a birthday present
adopt a puppy
how old is the pope
paint the fence green
vacuum the carpet
lose five kilos
what does my horoscope say
cut my hair
sharpen the knives
walk the dog
buy two tickets for the opera
start the washing machine
cancel my gym membership
turn up the heating
fix the leaking tap
who was the first emperor of Rome
xyzzy plugh
give the baby a bath
hail a taxi
`
} as const
